import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { constant, map, type Query, rows } from '../../db/query'
import { knownDevices, sessions, signInAddresses } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/** Lifetime of the device cookie and of what is known of devices, since the last sign-in. */
export const deviceSeconds = 365 * 86_400

/** Addresses looked at to decide whether a network is known. */
const addressesRead = 200

export function hashDeviceToken(token: string): Promise<string> {
  return sha256(`device ${token}`)
}

/** Accounts that have signed in with the device of this hash; none without a cookie. */
export function findAccountsOfDevice(ctx: Ctx, deviceHash: string | null): Query<readonly AccountId[]> {
  if (deviceHash === null) return constant([])
  const found = ctx.db
    .select({ accountId: knownDevices.accountId, lastUsedAt: knownDevices.lastUsedAt })
    .from(knownDevices)
    .where(eq(knownDevices.tokenHash, deviceHash))
    .limit(100)
  const oldest = ctx.clock.now().getTime() - deviceSeconds * 1000
  return map(rows(found), (list) =>
    list.filter(({ lastUsedAt }) => lastUsedAt.getTime() > oldest).map(({ accountId }) => accountId),
  )
}

/** Addresses the account has signed in from, latest first. */
export function findSignInAddresses(ctx: Ctx, accountId: AccountId): Query<readonly string[]> {
  const found = ctx.db
    .select({ ip: signInAddresses.ip })
    .from(signInAddresses)
    .where(eq(signInAddresses.accountId, accountId))
    .orderBy(desc(signInAddresses.lastUsedAt))
    .limit(addressesRead)
  return map(rows(found), (list) => list.map(({ ip }) => ip))
}

/**
 * Subject that attempts at an account are counted for: the device if the account knows it, so that others who guess
 * cannot lock its owner out; else the account.
 */
export function attemptSubject(
  accountId: AccountId,
  { deviceHash, known }: { readonly deviceHash: string | null; readonly known: readonly AccountId[] },
): string {
  return deviceHash !== null && known.includes(accountId)
    ? `device ${deviceHash} of member ${accountId}`
    : `member ${accountId}`
}

/** More than the browsers of any user: a new password forgets all of them in one request. */
const mostDevices = 100

/** Adds to `changes` that the account signs in with this device; beyond `mostDevices` those longest unused are forgotten. */
export function addDevice(ctx: Ctx, changes: Changes, accountId: AccountId, tokenHash: string): void {
  const lastUsedAt = ctx.clock.now()
  const beyond = sql`(select token_hash from known_devices where account_id = ${accountId} and token_hash <> ${tokenHash}
    order by last_used_at desc limit 100 offset ${sql.raw(String(mostDevices - 1))})`
  changes.add(
    ctx.db
      .delete(knownDevices)
      .where(and(eq(knownDevices.accountId, accountId), sql`${knownDevices.tokenHash} in ${beyond}`)),
    ctx.db
      .insert(knownDevices)
      .values({ tokenHash, accountId, lastUsedAt })
      .onConflictDoUpdate({ target: [knownDevices.tokenHash, knownDevices.accountId], set: { lastUsedAt } }),
  )
}

/** Adds to `changes` that the account is used from this address. */
export function addSignInAddress(ctx: Ctx, changes: Changes, accountId: AccountId, ip: string): void {
  const lastUsedAt = ctx.clock.now()
  changes.add(
    ctx.db
      .insert(signInAddresses)
      .values({ accountId, ip, lastUsedAt })
      .onConflictDoUpdate({ target: [signInAddresses.accountId, signInAddresses.ip], set: { lastUsedAt } }),
  )
}

/** Statement that makes the account forget all devices but that of the session `keptSessionId`. */
export function deleteOtherDevices(ctx: Ctx, accountId: AccountId, keptSessionId: number | null) {
  const kept = sql`coalesce((select ${sessions.deviceHash} from ${sessions} where ${sessions.id} = ${keptSessionId}), '')`
  return ctx.db
    .delete(knownDevices)
    .where(and(eq(knownDevices.accountId, accountId), ne(knownDevices.tokenHash, kept)))
}

/** Statement that makes the account forget the device of one of its sessions. */
export function deleteDeviceOf(ctx: Ctx, accountId: AccountId, sessionId: number) {
  const device = sql`(select device_hash from sessions where id = ${sessionId} and account_id = ${accountId})`
  return ctx.db
    .delete(knownDevices)
    .where(and(eq(knownDevices.accountId, accountId), eq(knownDevices.tokenHash, device)))
}
