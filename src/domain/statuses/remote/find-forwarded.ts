import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../../db/query'
import { oneRow } from '../../../db/sql'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../platform/ports'
import { isUnknownUri } from './find-remote'

/** Whether the remote object `uri` is stored, as a status or an account, and whether its parent is. */
export function forwardedFacts(
  ctx: Ctx,
  { uri, inReplyTo }: { readonly uri: string; readonly inReplyTo: string | null },
): Query<{ readonly known: boolean; readonly parentKnown: boolean }> {
  const own = inReplyTo?.startsWith(`${ctx.config.origin}/`) === true
  const known = sql<number>`${hasStatus(uri)} or exists (select 1 from accounts where uri = ${uri})`
  const parentKnown = own ? sql<number>`1` : sql<number>`${hasStatus(inReplyTo)}`
  const found = first(
    ctx.db.select({ known: known.as('known'), parentKnown: parentKnown.as('parent_known') }).from(oneRow),
  )
  return map(found, (row) => ({ known: row?.known === 1, parentKnown: row?.parentKnown === 1 }))
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
      })
      .from(sql`statuses s cross join accounts a on a.id = s.account_id`)
      .where(sql`s.uri = ${uri} and s.local = 0 and a.uri is not null`),
  )
}
