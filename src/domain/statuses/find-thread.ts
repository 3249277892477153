import { eq, sql } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { isReceived } from '../core/received-activities'
import { idByAddress } from './find-address'
import { expandRepliesUri } from './remote/replies-address'

/** URI of the status's parent while that is unknown. One statement. */
export function missingParentUri(ctx: Ctx, id: StatusId): Query<string | null> {
  const found = first(
    ctx.db.select({ awaited: statuses.inReplyToUri }).from(statuses).where(eq(statuses.id, id)),
  )
  return map(found, (row) => row?.awaited ?? null)
}

/** Replies collection of the remote status `id`; null for local statuses and where none is given. One statement. */
export function repliesCollectionOf(
  ctx: Ctx,
  id: StatusId,
): Query<{ readonly uri: string; readonly repliesUri: string } | null> {
  const { uri, repliesUri } = statuses
  const found = first(
    ctx.db
      .select({ uri, repliesUri })
      .from(statuses)
      .where(sql`${statuses.id} = ${id} and ${statuses.local} = 0`),
  )
  return map(found, (row) =>
    row === null || row.uri === null || row.repliesUri === null
      ? null
      : { uri: row.uri, repliesUri: expandRepliesUri(row.uri, row.repliesUri) },
  )
}

/** URIs that are neither stored nor known to be deleted. One statement. */
export function unknownUrisAmong(ctx: Ctx, uris: readonly string[]): Query<readonly string[]> {
  const found = rows(
    ctx.db
      .select({ uri: sql<string>`item.value`.as('uri') })
      .from(jsonRows(uris))
      .where(sql`not exists (select 1 from statuses where uri = item.value)
        and not exists (select 1 from tombstones where uri = item.value)
        and not ${isReceived(sql`item.value`)}`),
  )
  return map(found, (all) => all.map((row) => row.uri))
}

/** Fields that replies to a status inherit. */
export interface ThreadNode {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly conversationId: StatusId
}

/** The status with this address as a node of its thread. One statement. */
export function threadNode(ctx: Ctx, address: string): Query<ThreadNode | null> {
  const { id, accountId, conversationId } = statuses
  return first(
    ctx.db
      .select({ id, accountId, conversationId })
      .from(statuses)
      .where(sql`${id} = ${idByAddress(ctx, address)}`),
  )
}
