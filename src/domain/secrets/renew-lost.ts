import { eq, sql } from 'drizzle-orm'
import { execute, limitTo, rows } from '../../db/query'
import { accountKeys, accounts, pushSubscriptions, settings } from '../../db/schema'
import { type AccountId, instanceActorId } from '../../lib/ids'
import { sealedPrefix, UnopenableSecret, unseal } from '../../lib/sealing'
import type { Ctx } from '../../ports/ctx'
import { rotateKeys } from '../accounts/rotate-keys'
import { Changes, commit } from '../core/changes'
import { loadVapidPair } from '../instance/keys'
import { operator } from '../policy/permissions'

/** Generating a pair of RSA keys takes a quarter of a second. */
const accountsPerPart = 3

/**
 * Gives the next accounts whose private key no accepted secret opens a new pair, as after the loss of the secret, and so
 * the server its actor and its push key. Returns the last account that was looked at; null at the end.
 *
 * Other servers learn the new keys by the documents of the accounts. Subscriptions to push are deleted with the push
 * key, under which apps subscribed.
 */
export async function renewLostKeys(ctx: Ctx, after: AccountId | null): Promise<AccountId | null> {
  if (after === null) await renewPushKey(ctx)
  const { accountId, privateKey } = accountKeys
  const isOther = sql`substr(${privateKey}, 1, 17) <> ${sealedPrefix(ctx.config.secrets)}`
  const behind = sql`${accountId} > ${after ?? Number.MIN_SAFE_INTEGER} and ${isOther}`
  const next = ctx.db
    .select({ accountId, privateKey })
    .from(accountKeys)
    .where(sql`${behind} order by ${accountId} ${limitTo(accountsPerPart)}`)
  const found = await execute(ctx.db, rows(next))
  for (const key of found)
    if (!(await opens(ctx, 'actor key', key.accountId, key.privateKey))) await renewKey(ctx, key.accountId)
  return found.length < accountsPerPart ? null : (found.at(-1)?.accountId ?? null)
}

async function opens(
  ctx: Ctx,
  kind: 'actor key' | 'push key',
  owner: number,
  text: string,
): Promise<boolean> {
  try {
    await unseal(ctx.config.secrets, { kind, owner }, text)
    return true
  } catch (failure) {
    if (failure instanceof UnopenableSecret) return false
    throw failure
  }
}

async function renewKey(ctx: Ctx, id: AccountId): Promise<void> {
  if (id !== instanceActorId) {
    await rotateKeys(ctx, operator, id)
    // The lost one, which would be kept as a last resort.
    const forget = ctx.db
      .update(accountKeys)
      .set({ previousPrivateKey: null })
      .where(eq(accountKeys.accountId, id))
    await commit(ctx, new Changes().add(forget))
    return
  }
  // The instance actor has no followers to notify.
  const { publicKey, privateKey } = await ctx.vault.generateKeyPair(id)
  const now = ctx.clock.now()
  const changes = new Changes().add(
    ctx.db
      .update(accountKeys)
      .set({ previousPrivateKey: null, privateKey, rotatedAt: now })
      .where(eq(accountKeys.accountId, id)),
    ctx.db.update(accounts).set({ publicKey, updatedAt: now }).where(eq(accounts.id, id)),
  )
  await commit(ctx, changes)
}

async function renewPushKey(ctx: Ctx): Promise<void> {
  const pair = await execute(ctx.db, loadVapidPair(ctx))
  if (pair === null || (await opens(ctx, 'push key', 0, pair.privateKey))) return
  const value = JSON.stringify(await ctx.vault.generatePushKeyPair())
  const changes = new Changes().add(
    ctx.db.run(
      sql`update ${settings} set value = ${value}, updated_at = ${ctx.clock.now().getTime()} where key = 'vapid'`,
    ),
    ctx.db.delete(pushSubscriptions),
  )
  await commit(ctx, changes)
}
