import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type BoundedSelection, first, limitTo, map, type Query } from '../../db/query'
import { conversations, statuses } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { allowedInThread } from '../policy/blocks-and-mutes'
import { visibleTo } from '../policy/visibility'

/** Subject of a page of a conversation's statuses: the viewer's conversation with this id, read at this time. */
export interface ConversationRequest {
  readonly id: StatusId
  readonly now: Date
}

/**
 * The statuses between exactly the participants of the viewer's conversation, latest first, as rows (id, cursor);
 * the status is the cursor. Statuses by authors the viewer mutes or blocks are omitted.
 */
export function conversationStatuses(
  viewer: ViewerRef,
  { id, now }: ConversationRequest,
  page: Page,
): BoundedSelection {
  const [talk, said] = [alias(conversations, 'talk'), alias(statuses, 'said')]
  return scanIndex(page, {
    most: candidateLimit({ each: 6, limit: page.limit, of: 'statuses' }),
    of: 'statuses',
    cursor: sql`${said.id}`,
    candidates: (bounds) => sql`select ${said}.*, ${talk.participants} as party, ${said.id} as cursor
      from ${conversations} ${talk} cross join ${statuses} ${said}
      where ${talk.accountId} = ${viewer.id} and ${talk.id} = ${id} and ${said.visibility} = 'direct'
        and ${said.conversationId} = ${talk.conversationId} and ${said.id} >= ${talk.id} and ${bounds}`,
    shown: (candidates) => sql`select s.id as id, s.cursor as cursor from (${candidates}) s
      where ${isAmong(sql`s.party`, viewer.id)} and ${visibleTo(viewer)} and ${allowedInThread(viewer, now)}`,
  })
}

/** Counts the viewer's unread conversations, `most` of them at most. One statement that reads unread ones alone. */
export function unreadConversations(ctx: Ctx, viewer: ViewerRef, most: number): Query<number> {
  const s = alias(statuses, 's')
  const isVisible = sql`exists (select 1 from ${statuses} ${s}
    where ${s.id} = ${conversations.lastStatusId} and ${visibleTo(viewer)})`
  // Left to choose, SQLite may read all conversations of the viewer.
  const waiting = sql`(select 1 from ${conversations} indexed by conversations_unread
    where ${conversations.accountId} = ${viewer.id} and ${conversations.unread} = 1 and ${isVisible}
    ${limitTo(most)}) as waiting`
  const counted = ctx.db.select({ count: sql<number>`count(*)`.as('count') }).from(waiting)
  return map(first(counted), (row) => row?.count ?? 0)
}

/** Whether author and mentioned accounts of the status `s`, without `owner`, are these participants. */
export function isAmong(participants: SQL, owner: SQL): SQL {
  return sql`${participants} = (select json_group_array(person) from (
      select s.account_id as person union select named.value ->> 'id' from json_each(s.mentions) named order by 1)
    where person <> ${owner})`
}
