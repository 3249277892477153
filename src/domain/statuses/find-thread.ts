import { eq, sql } from 'drizzle-orm'
import { first, jsonRows, map, type Query, rows } from '../../db/query'
import { statuses } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isReceived } from '../core/received-activities'
import { idByAddress } from './find'
import { expandRepliesUri } from './remote/remote-status'

/** URI of the status's parent while that is unknown. One statement. */
export function missingParentUri(ctx: Ctx, id: StatusId): Query<string | null> {
  const found = first(
    ctx.db.select({ awaited: statuses.inReplyToUri }).from(statuses).where(eq(statuses.id, id)),
  )
  return map(found, (row) => row?.awaited ?? null)
}

/** A remote status and the collections that list what belongs to its thread. */
export interface ThreadSource {
  readonly uri: string
  readonly conversationId: StatusId
  readonly repliesUri: string | null
  readonly contextUri: string | null
}

/**
 * The remote status `id` with the collections its server gives; null for local statuses and where it gives none. One
 * statement.
 */
export function threadSourceOf(ctx: Ctx, id: StatusId): Query<ThreadSource | null> {
  const { uri, conversationId, repliesUri, contextUri } = statuses
  const found = first(
    ctx.db
      .select({ uri, conversationId, repliesUri, contextUri })
      .from(statuses)
      .where(sql`${statuses.id} = ${id} and ${statuses.local} = 0`),
  )
  return map(found, (row) => {
    if (row === null || row.uri === null) return null
    if (row.repliesUri === null && row.contextUri === null) return null
    const replies = row.repliesUri === null ? null : expandRepliesUri(row.uri, row.repliesUri)
    return { ...row, uri: row.uri, repliesUri: replies }
  })
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
