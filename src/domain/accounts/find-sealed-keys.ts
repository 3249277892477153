import type { Ctx } from '../../context'
import { type Query, rows } from '../../db/query'
import { accountKeys } from '../../db/schema'
import { isIn } from '../../db/sql'
import type { AccountId } from '../../lib/ids'

/** The private keys of people of this server, sealed. One statement. */
export function sealedKeysOf(
  ctx: Ctx,
  ids: readonly AccountId[],
): Query<{ readonly accountId: AccountId; readonly privateKey: string }[]> {
  const { accountId, privateKey } = accountKeys
  return rows(ctx.db.select({ accountId, privateKey }).from(accountKeys).where(isIn(accountId, ids)))
}
