import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, first, map, type Query } from '../../db/query'
import { settings } from '../../db/schema'
import type { Ctx, SealedKeyPair } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

const key = 'vapid'
const Stored = z.object({ publicKey: z.string(), privateKey: z.string() })

/** The key the instance signs Web Push with, its private half encrypted; null until it is first asked for. */
export function loadVapidPair(ctx: Ctx): Query<SealedKeyPair | null> {
  const found = first(ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, key)))
  return map(found, (row) => (row === null ? null : Stored.parse(row.value)))
}

/** The public half of it. */
export function loadVapidKey(ctx: Ctx): Query<string | null> {
  return map(loadVapidPair(ctx), (pair) => pair?.publicKey ?? null)
}

/** `found`, or a key made now and kept for good: clients subscribe under it, so it never changes. */
export async function ensureVapidKey(ctx: Ctx, found: string | null): Promise<string> {
  if (found !== null) return found
  const value = JSON.stringify(await ctx.vault.generatePushKeyPair())
  // Of two requests that both find none, the first to write decides.
  const save = sql`insert into ${settings} (key, value, updated_at)
    values (${key}, ${value}, ${ctx.clock.now().getTime()}) on conflict (key) do nothing`
  await commit(ctx, new Changes().add(ctx.db.run(save)))
  const kept = await execute(ctx.db, loadVapidKey(ctx))
  if (kept === null) throw new Error('The push key was not kept')
  return kept
}
