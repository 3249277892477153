import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, first, map, type Query } from '../../db/query'
import { settings } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import type { SealedKeyPair } from '../../ports/services'
import { Changes, commit } from '../core/changes'

const key = 'vapid'
const Stored = z.object({ publicKey: z.string(), privateKey: z.string() })

/** Key pair the instance signs Web Push with, its private half encrypted; null until first needed. */
export function loadVapidPair(ctx: Ctx): Query<SealedKeyPair | null> {
  const found = first(ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, key)))
  return map(found, (row) => (row === null ? null : Stored.parse(row.value)))
}

/** Public half of the key pair. */
export function loadVapidKey(ctx: Ctx): Query<string | null> {
  return map(loadVapidPair(ctx), (pair) => pair?.publicKey ?? null)
}

/** Returns `found`, or creates and stores the key. It never changes: clients subscribe under it. */
export async function ensureVapidKey(ctx: Ctx, found: string | null): Promise<string> {
  if (found !== null) return found
  const value = JSON.stringify(await ctx.vault.generatePushKeyPair())
  // Of two concurrent requests the first write wins.
  const save = sql`insert into ${settings} (key, value, updated_at)
    values (${key}, ${value}, ${ctx.clock.now().getTime()}) on conflict (key) do nothing`
  await commit(ctx, new Changes().add(ctx.db.run(save)))
  const stored = await execute(ctx.db, loadVapidKey(ctx))
  if (stored === null) throw new Error('The push key was not stored')
  return stored
}
