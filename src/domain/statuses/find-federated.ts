import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { actorUri, statusUri } from '../../contract/addresses'
import { removedAuthorId } from '../../contract/ids'
import { first, map, type Query } from '../../db/query'
import { tombstones } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { Approval } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

/** Local address of a status: its author's name and its id. */
export interface StatusAddress {
  readonly username: string
  readonly id: StatusId
}

/** A local status and its counters. */
export interface FederatedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly username: string
  readonly visibility: Visibility
  readonly favouritesCount: number
  readonly reblogsCount: number
}

/**
 * The status at a local address if `viewer` may see it and it is federated. Excludes reblogs, which are
 * activities. One statement.
 */
export function findFederatedStatus(
  ctx: Ctx,
  viewer: ViewerRef,
  { username, id }: StatusAddress,
): Query<FederatedStatus | null> {
  return first(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        accountId: sql<AccountId>`s.account_id`.as('account_id'),
        username: sql<string>`a.username`.as('username'),
        visibility: sql<Visibility>`s.visibility`.as('visibility'),
        favouritesCount: sql<number>`s.favourites_count`.as('favourites_count'),
        reblogsCount: sql<number>`s.reblogs_count`.as('reblogs_count'),
      })
      .from(sql`statuses s cross join accounts a`)
      .where(sql`s.id = ${id} and s.uri is null and s.reblog_of_id is null and s.local_only = 0
        and a.id = s.account_id and a.domain is null and lower(a.username) = ${username.toLowerCase()}
        and ${visibleTo(viewer)}`),
  )
}

/** First status of a conversation of this server, where it is still there. */
export interface ContextRoot {
  readonly id: StatusId
  readonly username: string
}

/**
 * The first status of the conversation `id` if it is public or unlisted, local and visible to `viewer`; 'deleted' where no
 * such status is stored, which its replies outlive; 'hidden' for any other. One statement.
 */
export function findContextRoot(
  ctx: Ctx,
  viewer: ViewerRef,
  id: StatusId,
): Query<ContextRoot | 'deleted' | 'hidden'> {
  const found = first(
    ctx.db
      .select({
        username: sql<string>`a.username`.as('username'),
        isServed: sql<number>`(s.uri is null and s.conversation_id = s.id and s.reblog_of_id is null
          and s.local_only = 0 and a.domain is null and s.visibility in ('public', 'unlisted') and ${visibleTo(viewer)})`.as(
          'is_served',
        ),
      })
      .from(sql`statuses s cross join accounts a`)
      .where(sql`s.id = ${id} and s.account_id <> ${removedAuthorId} and a.id = s.account_id`),
  )
  return map(found, (row) => {
    if (row === null) return 'deleted'
    return row.isServed === 1 ? { id, username: row.username } : 'hidden'
  })
}

/** A tombstone among these local addresses whose status was public or unlisted; null if none. */
export function tombstonesAmong(
  ctx: Ctx,
  uris: readonly string[],
): Query<{ readonly uri: string; readonly deletedAt: Date } | null> {
  // Conditions joined by `or`: members of an `in (…)` list are billed as rows read.
  return first(
    ctx.db
      .select({ uri: tombstones.uri, deletedAt: tombstones.deletedAt })
      .from(tombstones)
      .where(and(tombstones.published, or(...uris.map((uri) => eq(tombstones.uri, uri))))),
  )
}

/** Approval by a local author that other servers may read. */
export interface InteractionAuthorizationFacts {
  readonly type: 'ReplyAuthorization' | 'AnnounceAuthorization' | 'LikeAuthorization'
  readonly author: string
  readonly interaction: string
  readonly target: string
}

/**
 * Approval by the local account `username` of the remote reply or reblog `id`. Readable by viewers of both
 * statuses and by the server that requested it. One statement.
 */
export function findInteractionAuthorization(
  ctx: Ctx,
  reader: ViewerRef,
  { username, id }: { readonly username: string; readonly id: StatusId },
): Query<InteractionAuthorizationFacts | null> {
  const { origin } = ctx.config
  const isRequesters: SQL = sql`exists (select 1 from accounts r cross join accounts doer
    where r.id = ${reader.id} and doer.id = s.account_id and r.domain = doer.domain)`
  const found = first(
    ctx.db
      .select({
        author: sql<string>`a.username`.as('author'),
        targetId: sql<StatusId>`original.id`.as('target_id'),
        uri: sql<string | null>`s.uri`.as('uri'),
        reblogOfId: sql<StatusId | null>`s.reblog_of_id`.as('reblog_of_id'),
      })
      .from(sql`statuses s cross join statuses original cross join accounts a`)
      .where(sql`s.id = ${id} and s.local = 0 and s.approval ->> 'state' = 'accepted'
        and original.id = coalesce(s.reblog_of_id, s.in_reply_to_id)
        and original.local = 1 and original.local_only = 0
        and a.id = original.account_id and a.suspended_at is null and lower(a.username) = ${username.toLowerCase()}
        and ${visibleTo(reader, 'original')} and (${visibleTo(reader, 's')} or ${isRequesters})`),
  )
  return map(found, (row) =>
    row === null || row.uri === null
      ? null
      : {
          type: row.reblogOfId === null ? 'ReplyAuthorization' : 'AnnounceAuthorization',
          author: actorUri(origin, row.author),
          interaction: row.uri,
          target: statusUri(origin, row.author, row.targetId),
        },
  )
}

/**
 * Approval by the local account `username` of the remote favourite `id`, which its server requested. Readable by viewers of
 * the status. One statement.
 */
export function findLikeAuthorization(
  ctx: Ctx,
  reader: ViewerRef,
  { username, id }: { readonly username: string; readonly id: number },
): Query<InteractionAuthorizationFacts | null> {
  const found = first(
    ctx.db
      .select({
        author: sql<string>`a.username`.as('author'),
        targetId: sql<StatusId>`original.id`.as('target_id'),
        uri: sql<string>`f.uri`.as('uri'),
      })
      .from(sql`favourites f cross join statuses original cross join accounts a`)
      .where(sql`f.id = ${id} and f.uri is not null and f.approval ->> 'state' = 'accepted'
        and not exists (select 1 from accounts doer where doer.id = f.account_id and doer.suspended_at is not null)
        and original.id = f.status_id and original.local = 1 and original.local_only = 0
        and a.id = original.account_id and a.suspended_at is null and lower(a.username) = ${username.toLowerCase()}
        and ${visibleTo(reader, 'original')}`),
  )
  const { origin } = ctx.config
  return map(found, (row) =>
    row === null
      ? null
      : {
          type: 'LikeAuthorization',
          author: actorUri(origin, row.author),
          interaction: row.uri,
          target: statusUri(origin, row.author, row.targetId),
        },
  )
}

/** Fields an activity about a status needs. */
export interface StatusReference {
  readonly uri: string
  readonly authorId: AccountId
  readonly local: boolean
  readonly localOnly: boolean
  readonly visibility: Visibility
}

/**
 * Address and author of a status regardless of visibility: for notifying servers that already have it. Contains
 * no content. One statement.
 */
export function statusReference(ctx: Ctx, id: StatusId): Query<StatusReference | null> {
  const found = first(
    ctx.db
      .select({
        id: sql<StatusId>`s.id`.as('id'),
        uri: sql<string | null>`s.uri`.as('uri'),
        authorId: sql<AccountId>`s.account_id`.as('author_id'),
        local: sql<number>`s.local`.as('local'),
        localOnly: sql<number>`s.local_only`.as('local_only'),
        visibility: sql<Visibility>`s.visibility`.as('visibility'),
        username: sql<string>`a.username`.as('username'),
      })
      .from(sql`statuses s cross join accounts a on a.id = s.account_id`)
      .where(sql`s.id = ${id}`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { uri, authorId, visibility, username } = row
    return {
      authorId,
      visibility,
      local: row.local === 1,
      localOnly: row.localOnly === 1,
      uri: uri ?? statusUri(ctx.config.origin, username, id),
    }
  })
}

/** The status as a selection (id, cursor), unless it awaits approval or replies to a local-only status. */
export function federatedStatus(id: StatusId): SQL {
  return sql`select s.id as id, 0 as cursor from statuses s where s.id = ${id} and s.approval ->> 'held' is null and not exists (
    select 1 from statuses parent where parent.id = s.in_reply_to_id and parent.local_only = 1)`
}

/** The status as a selection (id, cursor) while it awaits approval by the author of its parent or original. */
export function pendingStatus(id: StatusId): SQL {
  return sql`select s.id as id, 0 as cursor from statuses s where s.id = ${id} and s.approval ->> 'held' is not null`
}

/** Guard: the status still awaits approval. */
export function isStillPending(id: StatusId): SQL {
  return sql`exists (${pendingStatus(id)})`
}

/** Interactions of an account with a status. */
export interface InteractionsOn {
  readonly favouriteId: number | null
  /** Of the favourite, by the author. */
  readonly favouriteApproval: Approval | null
  readonly favouriteRequestId: number | null
  readonly pinned: boolean
  readonly reblogged: boolean
}

/** The favourite, pin and reblog of `account` on the status. One statement. */
export function interactionsOn(ctx: Ctx, account: AccountId, id: StatusId): Query<InteractionsOn> {
  const found = first(
    ctx.db
      .select({
        favourite: sql<readonly [number, Approval | null] | null>`(select json_array(id, json(approval))
          from favourites where status_id = ${id} and account_id = ${account})`
          .mapWith((cell: string): readonly [number, Approval | null] => JSON.parse(cell))
          .as('favourite'),
        favouriteRequestId: sql<number | null>`(select id from favourite_requests
          where status_id = ${id} and account_id = ${account})`.as('favourite_request_id'),
        pinned: sql<number>`exists (select 1 from status_pins where status_id = ${id})`.as('pinned'),
        reblogged: sql<number>`exists (select 1 from statuses
          where reblog_of_id = ${id} and account_id = ${account})`.as('reblogged'),
      })
      .from(sql`(select 1) as one`),
  )
  return map(found, (row) => ({
    favouriteId: row?.favourite?.[0] ?? null,
    favouriteApproval: row?.favourite?.[1] ?? null,
    favouriteRequestId: row?.favouriteRequestId ?? null,
    pinned: row?.pinned === 1,
    reblogged: row?.reblogged === 1,
  }))
}
