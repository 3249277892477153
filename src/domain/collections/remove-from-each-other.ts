import { sql } from 'drizzle-orm'
import { collectionItems } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

/** Statements that remove two accounts from each other's collections. For the batch of a block. */
export function removeFromEachOthersCollections(ctx: Ctx, a: AccountId, b: AccountId) {
  const inOther = (owner: AccountId, member: AccountId) =>
    sql`(${collectionItems.accountId} = ${member} and ${collectionItems.collectionId} in
      (select own.id from collections own where own.account_id = ${owner}))`
  return [
    ctx.db.delete(collectionItems).where(inOther(a, b)),
    ctx.db.delete(collectionItems).where(inOther(b, a)),
  ]
}
