import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, inList, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { statuses, type Visibility } from '../../db/schema/statuses'
import type { Attachment } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { countChildren } from '../statuses/find-affected-servers'

/** Statuses of an account that go. */
export interface PurgeSelection {
  readonly account: AccountId
  /** Condition on `statuses` that is met by the first `count` of them by id, and perhaps by further ones of them. */
  where(count: number): SQL
  /** Whether they are all statuses of the account. */
  readonly isWhole: boolean
}

/** Status of such a selection, with what other rows count because of it. */
export interface PurgeableStatus {
  readonly id: StatusId
  readonly local: boolean
  readonly localOnly: boolean
  readonly visibility: Visibility
  readonly reblogOfId: StatusId | null
  readonly inReplyToId: StatusId | null
  /** Files uploaded here. */
  readonly uploads: readonly Attachment[]
  /** Names of its hashtags. */
  readonly tags: readonly string[]
  readonly isQuote: boolean
  readonly isEdited: boolean
  /** Whether other accounts replied to the status. */
  readonly isAnswered: boolean
  /** Counted reblogs of it, as far as `children` are counted. */
  readonly reblogs: readonly PurgeableReblog[]
  /** Rows that refer to it; of each kind `countedChildren` at most are counted. */
  readonly children: number
}

/** Counted reblog of such a status. */
export interface PurgeableReblog {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly local: boolean
}

export interface PurgeableFacts {
  readonly part: readonly PurgeableStatus[]
  /** Newest statuses of the selection, which connected clients may show; none without connections. */
  readonly shown: ReadonlySet<StatusId>
}

/** Rows of one kind up to which the rows that refer to a status are counted. */
export const countedChildren = 200

/** Statuses whose deletion is published: those that clients show. One statement each to look up connected clients. */
const mostShown = 10

/** First `count` statuses of a selection: read once, for all statements of a part. */
export function purgeableFacts(
  ctx: Ctx,
  { account, where }: PurgeSelection,
  count: number,
): Query<PurgeableFacts> {
  const { id, local, localOnly, visibility, reblogOfId, inReplyToId, attachments, tags, editedAt } = statuses
  const own = sql.raw('statuses.id')
  const reblogs = sql`(select json_group_array(json_array(id, account_id, local)) from (select r.id, r.account_id, r.local
    from statuses r where r.reblog_of_id = ${own} and r.local_only = 0 ${limitTo(countedChildren)}))`
  const part = rows(
    ctx.db
      .select({
        id,
        local,
        localOnly,
        visibility,
        reblogOfId,
        inReplyToId,
        attachments,
        tags,
        editedAt,
        isQuote: sql<boolean>`exists (select 1 from quotes q where q.status_id = ${own})`
          .mapWith(Boolean)
          .as('is_quote'),
        isAnswered: sql<boolean>`exists (select 1 from statuses answer
          where answer.in_reply_to_id = ${own} and answer.account_id <> ${account})`
          .mapWith(Boolean)
          .as('is_answered'),
        reblogs: reblogs
          .mapWith((cell: string): readonly (readonly [StatusId, AccountId, number])[] => JSON.parse(cell))
          .as('reblogs'),
        children: countChildren(own, countedChildren).as('children'),
      })
      .from(statuses)
      .where(where(count))
      .orderBy(sql`id ${limitTo(count)}`),
  )
  const subscribed = sql`exists (select 1 from presences) or exists (select 1 from heard_topics)`
  const shown = rows(
    ctx.db
      .select({ id })
      .from(statuses)
      .where(where(count))
      // As a condition, it would be asked for each status.
      .orderBy(sql`id desc limit (select iif(${subscribed}, ${sql.raw(String(mostShown))}, 0))`),
  )
  return map(combineQueries({ part, shown }), (found) => ({
    part: found.part.map(({ attachments: files, editedAt: edited, ...status }) => ({
      ...status,
      uploads: status.local ? files : [],
      tags: status.tags.map(({ name }) => name),
      isEdited: edited !== null,
      reblogs: status.reblogs.map(([reblog, accountId, isLocal]) => ({
        id: reblog,
        accountId,
        local: isLocal === 1,
      })),
    })),
    shown: new Set(found.shown.map((status) => status.id)),
  }))
}

/** Statuses that `part` quotes with consent, as far as quotes are counted. */
export function quotedBy(part: SQL): SQL {
  return sql`select q.quoted_status_id from quotes q cross join statuses s on s.id = q.status_id
    where q.status_id in (${part}) and q.state = 'accepted' and (s.local_only = 0 or exists (
      select 1 from statuses quoted where quoted.id = q.quoted_status_id and quoted.local_only = 1))`
}

/** Rows of `status_tags` of a part, by their key: the table has no index by status. Each tag is looked up once. */
export function tagRowsOf(part: readonly Pick<PurgeableStatus, 'id' | 'tags'>[]): SQL {
  const uses = part.flatMap(({ id, tags }) => tags.map((tag) => ({ id, tag })))
  const byTag = [...Map.groupBy(uses, ({ tag }) => tag)].map(([tag, all]) => [tag, all.map(({ id }) => id)])
  return sql`select t.id, used.value from ${jsonRows(byTag)} cross join tags t on t.name = item.value ->> 0
    cross join json_each(item.value, '$[1]') used`
}

/** Condition: all of `part`, the first of a selection by ascending id, are still there. */
export function areAllThere(
  { account, isWhole }: PurgeSelection,
  part: readonly Pick<PurgeableStatus, 'id'>[],
): SQL {
  const ids = part.map(({ id }) => id)
  // A range reads half the rows.
  const those = isWhole
    ? sql`account_id = ${account} and id between ${ids[0] ?? 0} and ${ids.at(-1) ?? 0}`
    : inList(sql`id`, ids)
  return sql`(select count(*) from statuses where ${those}) = ${part.length}`
}
