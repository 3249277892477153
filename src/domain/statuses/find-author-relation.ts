import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { blockSql } from '../policy/block-predicates'
import type { InteractorRelation } from '../policy/interaction'

/** Relation of an account to a status and its author. */
export interface AuthorRelation extends InteractorRelation {
  readonly authorName: string
  /** By account or by domain. */
  readonly blocksAuthor: boolean
}

/** Relation of `account` to the status with the id expression `id`, whether visible or not. One statement. */
export function authorRelationOf(
  ctx: Ctx,
  account: AccountId,
  id: SQL<StatusId>,
): Query<AuthorRelation | null> {
  const found = first(
    ctx.db
      .select({
        authorName: sql<string>`a.username`.as('author_name'),
        follows: sql<number>`exists (select 1 from follows
          where account_id = ${account} and target_account_id = a.id)`.as('follows'),
        named: sql<number>`exists (select 1 from status_mentions
          where status_id = s.id and account_id = ${account})`.as('named'),
        isBlocking: sql<number>`(${blockSql.blocks(account, sql`a.id`)}
          or ${blockSql.blocksDomain(account, sql`a.domain`)})`.as('is_blocking'),
      })
      .from(sql`statuses s cross join accounts a`)
      .where(sql`s.id = ${id} and a.id = s.account_id`),
  )
  return map(found, (row) =>
    row === null
      ? null
      : {
          authorName: row.authorName,
          followsParent: row.follows === 1,
          namedInParent: row.named === 1,
          blocksAuthor: row.isBlocking === 1,
        },
  )
}
