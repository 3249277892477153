import { map, type Query, rows } from '../../db/query'
import { accountKeys } from '../../db/schema'
import { inList } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx, SigningKeys } from '../../platform/ports'

/** By then the `Update` with the new key has been delivered, or retries to its server have ended. */
export const previousKeyDays = 7

/** Sealed private keys of local accounts. One statement. */
export function sealedKeysOf(ctx: Ctx, ids: readonly AccountId[]): Query<readonly SigningKeys[]> {
  const { accountId, privateKey, previousPrivateKey, rotatedAt } = accountKeys
  const oldest = ctx.clock.now().getTime() - previousKeyDays * 24 * 3_600_000
  const found = ctx.db
    .select({ accountId, privateKey, previousPrivateKey, rotatedAt })
    .from(accountKeys)
    .where(inList(accountId, ids))
  return map(rows(found), (keys) =>
    keys.map(({ rotatedAt: at, ...key }) =>
      at !== null && at.getTime() > oldest ? key : { ...key, previousPrivateKey: null },
    ),
  )
}
