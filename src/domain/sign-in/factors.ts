import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { combineQueries, execute, map, type Query, rows } from '../../db/query'
import { passkeys, pendingSignIns, recoveryCodes, totpSecrets } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { addRecoveryCodes, countRecoveryCodes, deleteRecoveryCodes } from './recovery-codes'

/** Second factors of an account. */
export interface Factors {
  readonly hasTotp: boolean
  readonly passkeyCount: number
  readonly recoveryCodeCount: number
}

export function findFactors(ctx: Ctx, accountId: AccountId): Query<Factors> {
  const totp = ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.accountId, accountId), isNotNull(totpSecrets.confirmedAt)))
  const keys = ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
  const found = combineQueries({
    totp: rows(totp),
    keys: rows(keys),
    recoveryCodeCount: countRecoveryCodes(ctx, accountId),
  })
  return map(found, ({ totp, keys, recoveryCodeCount }) => ({
    hasTotp: (totp[0]?.count ?? 0) > 0,
    passkeyCount: keys[0]?.count ?? 0,
    recoveryCodeCount,
  }))
}

/** Whether sign-in with a password asks for a second factor. */
export function hasSecondFactor({ hasTotp, passkeyCount }: Factors): boolean {
  return hasTotp || passkeyCount > 0
}

/** New recovery codes, for showing once; null where none were made. */
export type RecoveryCodes = readonly string[] | null

/** Adds recovery codes to `changes` for an account that had no second factor before. */
export async function addRecoveryCodesIfFirst(
  ctx: Ctx,
  changes: Changes,
  accountId: AccountId,
): Promise<RecoveryCodes> {
  const factors = await execute(ctx.db, findFactors(ctx, accountId))
  return hasSecondFactor(factors) ? null : addRecoveryCodes(ctx, changes, accountId)
}

/** Statement that deletes the recovery codes of an account without any second factor. */
export function deleteCodesWithoutFactor(ctx: Ctx, accountId: AccountId) {
  return ctx.db.delete(recoveryCodes).where(
    sql`account_id = ${accountId}
      and not exists (select 1 from totp_secrets where account_id = ${accountId} and confirmed_at is not null)
      and not exists (select 1 from passkeys where account_id = ${accountId})`,
  )
}

/** Replaces the recovery codes of an account. Returns the new ones, for showing once. */
export async function renewRecoveryCodes(ctx: Ctx, accountId: AccountId): Promise<readonly string[]> {
  const changes = new Changes()
  const codes = await addRecoveryCodes(ctx, changes, accountId)
  await commit(ctx, changes)
  return codes
}

/** Removes every second factor of an account with its recovery codes, and sign-ins that wait for one. */
export async function removeAllFactors(ctx: Ctx, accountId: AccountId): Promise<void> {
  await commit(ctx, addFactorsRemoval(ctx, new Changes(), accountId))
}

/** Adds to `changes` what `removeAllFactors` does. */
export function addFactorsRemoval(ctx: Ctx, changes: Changes, accountId: AccountId): Changes {
  return changes.add(
    ctx.db.delete(totpSecrets).where(eq(totpSecrets.accountId, accountId)),
    ctx.db.delete(passkeys).where(eq(passkeys.accountId, accountId)),
    deleteRecoveryCodes(ctx, accountId),
    ctx.db.delete(pendingSignIns).where(eq(pendingSignIns.accountId, accountId)),
  )
}
