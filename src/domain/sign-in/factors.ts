import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { combineQueries, execute, jsonRows, map, type Query, rows } from '../../db/query'
import { passkeys, pendingSignIns, recoveryCodes, totpSecrets } from '../../db/schema'
import type { Invalid } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

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

const codeCount = 10
/** 80 bits cannot be guessed, so a plain hash protects them. */
const codeBytes = 10

/** Adds new recovery codes of an account to `changes`, which replace earlier ones. Returns them, for showing once. */
async function addRecoveryCodes(
  ctx: Ctx,
  changes: Changes,
  accountId: AccountId,
): Promise<readonly string[]> {
  const codes = Array.from({ length: codeCount }, () => newCode(ctx))
  const hashes = await Promise.all(codes.map((code) => hashCode(accountId, code)))
  const inserted = sql`insert into ${recoveryCodes} (code_hash, account_id)
    select item.value, ${accountId} from ${jsonRows(hashes)}`
  changes.add(deleteRecoveryCodes(ctx, accountId), ctx.db.run(inserted))
  return codes
}

/** Twenty hexadecimal digits in four groups. */
function newCode(ctx: Ctx): string {
  const bytes = Uint8Array.fromBase64(ctx.random.token(), { alphabet: 'base64url' }).subarray(0, codeBytes)
  return (bytes.toHex().match(/.{5}/g) ?? []).join('-')
}

/** Hash of a code as typed: letter case, spaces and hyphens do not count. */
function hashCode(accountId: AccountId, code: string): Promise<string> {
  return sha256(`recovery code ${accountId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
}

function deleteRecoveryCodes(ctx: Ctx, accountId: AccountId) {
  return ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
}

/** Number of codes left to an account. */
function countRecoveryCodes(ctx: Ctx, accountId: AccountId): Query<number> {
  const found = ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.accountId, accountId))
  return map(rows(found), ([row]) => row?.count ?? 0)
}

/** Adds the use of a recovery code to `changes`: the commit throws `refusal` where there is no such code. */
export async function addRecoveryCodeUse(
  ctx: Ctx,
  changes: Changes,
  use: { readonly accountId: AccountId; readonly code: string },
  refusal: Invalid,
): Promise<void> {
  const { accountId, code } = use
  const codeHash = await hashCode(accountId, code)
  const own = and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.codeHash, codeHash))
  changes
    .require(sql`exists (select 1 from ${recoveryCodes} where ${own})`, refusal)
    .add(ctx.db.delete(recoveryCodes).where(own))
}
