import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { actorUri, statusUri } from '../../lib/addresses'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

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
