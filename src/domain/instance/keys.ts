import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { instanceActorId } from '../../contract/ids'
import { execute, first, map, type Query } from '../../db/query'
import { accountKeys, accounts, settings } from '../../db/schema'
import { type InstanceSecrets, signWith } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { SealedKeyPair } from '../../ports/services'
import { Changes, commit } from '../core/changes'

/** Actor that signs requests to other servers when no account is involved. */
export interface InstanceActor {
  readonly publicKey: string
  /** Sealed: the vault signs with it. */
  readonly privateKey: string
  readonly createdAt: Date
}

/** Instance actor; null until it is first needed. One row. */
export function findInstanceActor(ctx: Ctx): Query<InstanceActor | null> {
  const { publicKey, createdAt } = accounts
  const found = first(
    ctx.db
      .select({ publicKey, createdAt, privateKey: accountKeys.privateKey })
      .from(accounts)
      .innerJoin(accountKeys, eq(accountKeys.accountId, accounts.id))
      .where(eq(accounts.id, instanceActorId)),
  )
  return map(found, (row) => {
    if (row === null || row.publicKey === null) return null
    return { ...row, publicKey: row.publicKey }
  })
}

/** Returns `found`, or creates the instance actor. Its name is the domain, which no user can take. */
export async function ensureInstanceActor(ctx: Ctx, found: InstanceActor | null): Promise<InstanceActor> {
  if (found !== null) return found
  const { publicKey, privateKey } = await ctx.vault.generateKeyPair(instanceActorId)
  const now = ctx.clock.now()
  const { domain } = ctx.config
  // Of two concurrent requests the first write wins; the key pair is stored as a whole or not at all.
  const changes = new Changes().add(
    ctx.db
      .insert(accounts)
      .values({
        id: instanceActorId,
        username: domain,
        displayName: domain,
        actorType: 'Application',
        locked: true,
        discoverable: false,
        hideCollections: true,
        publicKey,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing(),
    ctx.db.run(sql`insert into ${accountKeys} (account_id, private_key, created_at)
      select ${instanceActorId}, ${privateKey}, ${now.getTime()} from ${accounts}
      where id = ${instanceActorId} and public_key = ${publicKey}`),
  )
  await commit(ctx, changes)
  const stored = await execute(ctx.db, findInstanceActor(ctx))
  if (stored === null) throw new Error('The instance actor was not stored')
  return stored
}

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

/** Secret of a webhook from before secrets were stored: derived from the oldest secret of the server. */
export function derivedWebhookSecret(
  { accepted, current }: InstanceSecrets,
  { id, secretVersion }: { readonly id: number; readonly secretVersion: number },
): Promise<string> {
  return signWith(accepted.at(-1) ?? current, 'webhook', `${id} ${secretVersion}`)
}
