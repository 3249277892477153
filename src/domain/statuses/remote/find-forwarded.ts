import { type SQL, sql } from 'drizzle-orm'
import { first, map, oneRow, type Query } from '../../../db/query'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { isUnknownUri } from './find-remote'

/** Stored state of the object of a forwarded activity. */
export interface ForwardedFacts {
  /** Stored as a status or an account. */
  readonly known: boolean
  readonly parentKnown: boolean
  /** Time of the stored version of a status. */
  readonly version: Date | null
}

/** Finds what is stored of the remote object `uri` and of its parent. One statement. */
export function forwardedFacts(
  ctx: Ctx,
  { uri, inReplyTo }: { readonly uri: string; readonly inReplyTo: string | null },
): Query<ForwardedFacts> {
  const own = inReplyTo?.startsWith(`${ctx.config.origin}/`) === true
  const known = sql<number>`${hasStatus(uri)} or exists (select 1 from accounts where uri = ${uri})`
  const parentKnown = own ? sql<number>`1` : sql<number>`${hasStatus(inReplyTo)}`
  const version = sql<
    number | null
  >`(select coalesce(edited_at, created_at) from statuses where uri = ${uri})`
  const found = first(
    ctx.db
      .select({
        known: known.as('known'),
        parentKnown: parentKnown.as('parent_known'),
        version: version.as('version'),
      })
      .from(oneRow),
  )
  return map(found, (row) => ({
    known: row?.known === 1,
    parentKnown: row?.parentKnown === 1,
    version: row?.version == null ? null : new Date(row.version),
  }))
}

/** Whether the remote status `uri` is stored, or was deleted. One statement. */
export function statusKnownAt(ctx: Ctx, uri: string): Query<boolean> {
  const unknown = sql<number>`${isUnknownUri(uri)}`
  return map(
    first(ctx.db.select({ unknown: unknown.as('unknown') }).from(oneRow)),
    (row) => row?.unknown !== 1,
  )
}

function hasStatus(uri: string | null): SQL {
  return uri === null ? sql`0` : sql`exists (select 1 from statuses where uri = ${uri})`
}

/** Remote author of the stored status `uri`. */
export interface RemoteAuthor {
  readonly id: AccountId
  readonly username: string
  readonly uri: string
  readonly followers: string | null
  /** 1 where the status is public or unlisted. */
  readonly isOpen: number
}

export function authorOfStatus(ctx: Ctx, uri: string): Query<RemoteAuthor | null> {
  return first(
    ctx.db
      .select({
        id: sql<AccountId>`a.id`.as('id'),
        username: sql<string>`a.username`.as('username'),
        uri: sql<string>`a.uri`.as('uri'),
        followers: sql<string | null>`(select followers from remote_actors where account_id = a.id)`.as(
          'followers',
        ),
        isOpen: sql<number>`s.visibility in ('public', 'unlisted')`.as('is_open'),
      })
      .from(sql`statuses s cross join accounts a on a.id = s.account_id`)
      .where(sql`s.uri = ${uri} and s.local = 0 and a.uri is not null`),
  )
}
