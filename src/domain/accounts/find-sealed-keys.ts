import { prepared } from '../../db/prepared'
import { map, type Query, rows } from '../../db/query'
import { accountKeys } from '../../db/schema'
import { inJsonList } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { SigningKeys } from '../../ports/federation'

/** By then the `Update` with the new key has been delivered, or retries to its server have ended. */
export const previousKeyDays = 7

/** Sealed private keys of local accounts. One statement. */
export function sealedKeysOf(ctx: Ctx, ids: readonly AccountId[]): Query<readonly SigningKeys[]> {
  const oldest = ctx.clock.now().getTime() - previousKeyDays * 24 * 3_600_000
  const found = selectKeys(ctx.db, { ids: JSON.stringify(ids) })
  return map(rows(found), (keys) =>
    keys.map(({ rotatedAt: at, ...key }) =>
      at !== null && at.getTime() > oldest ? key : { ...key, previousPrivateKey: null },
    ),
  )
}

const selectKeys = prepared(['ids'], (db, { ids }) => {
  const { accountId, privateKey, previousPrivateKey, rotatedAt } = accountKeys
  return db
    .select({ accountId, privateKey, previousPrivateKey, rotatedAt })
    .from(accountKeys)
    .where(inJsonList(accountId, ids))
})
