import { and, eq, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { recoveryCodes } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import type { Invalid } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { sha256 } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

const codeCount = 10
/** 80 bits: nobody guesses them, so a plain hash protects them. */
const codeBytes = 10

/** Adds new recovery codes of an account to `changes`, which replace earlier ones. Returns them, for showing once. */
export async function addRecoveryCodes(
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

export function deleteRecoveryCodes(ctx: Ctx, accountId: AccountId) {
  return ctx.db.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
}

/** Number of codes left to an account. */
export function countRecoveryCodes(ctx: Ctx, accountId: AccountId): Query<number> {
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
