import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Handle } from '../../contract/handle'
import { limitTo, map, type Query, rawResults } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { anonymousViewer, type ViewerRef } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { mayBeListed, mayBeRecommended } from '../policy/featuring'
import { idByNameAtHost } from './find'

/** Page of the profile directory. */
export interface DirectoryPage {
  /** Latest status first, or latest known account first. */
  readonly order: 'active' | 'new'
  readonly local: boolean
  readonly limit: number
  readonly offset: number
}

/** Rows before a page are read as well, hence the bound: lower for anonymous viewers. */
const maxScanned = { anonymous: 700, members: 6_000 }

/** Local accounts that may be listed, latest status first: rows of `accounts`, in the order of an index. */
export function latestListedHere(most: number): SQL {
  return sql`select a.* from accounts a where ${mayBeListed} and a.domain is null
    order by a.last_status_at desc ${limitTo(most)}`
}

/** Discoverable accounts the viewer may be shown, as a selection (id, cursor). */
export function selectDirectory(viewer: ViewerRef, page: DirectoryPage, now: Date): SQL {
  const { local, limit, offset } = page
  const most = viewer.signedIn ? maxScanned.members : maxScanned.anonymous
  // New local accounts are few among all accounts: the `users` table leads to them.
  const newOwn = local && page.order === 'new'
  const source = newOwn ? sql`users u cross join accounts a on a.id = u.account_id` : sql`accounts a`
  const order =
    page.order === 'active' ? sql`a.last_status_at desc` : newOwn ? sql`u.account_id desc` : sql`a.id desc`
  // Ordered in the subquery: the outer query keeps the order.
  const candidates = sql`select a.* from ${source} where ${newOwn ? sql`1` : mayBeListed}
    and ${local && !newOwn ? sql`a.domain is null` : sql`1`} order by ${order} ${limitTo(most)}`
  return sql`select id, -row_number() over () as cursor from (
    select a.id as id from (${candidates}) a where ${mayBeRecommended(viewer, now)}
    ${limitTo(offset > most ? 0 : limit)} offset ${Math.min(offset, most)})`
}

/** Local account whose profile search engines may list. */
export interface IndexedAccount {
  readonly username: string
  readonly lastStatusAt: Date | null
}

const most = 500

const Result = z.object({
  results: z.array(z.object({ username: z.string(), lastStatusAt: z.number().nullable() })),
})

/**
 * Loads the local accounts that are discoverable and let search engines list them, latest status first: 500 at most.
 * One statement.
 */
export function findIndexedAccounts(ctx: Ctx): Query<readonly IndexedAccount[]> {
  const found = ctx.db.run(sql`select a.username as username, a.last_status_at as lastStatusAt from accounts a
    where ${mayBeRecommended(anonymousViewer, ctx.clock.now())} and a.domain is null and a.indexable = 1
    order by a.last_status_at desc ${limitTo(most)}`)
  return map(rawResults([found]), ([result]) =>
    Result.parse(result).results.map(({ username, lastStatusAt }) => ({
      username,
      lastStatusAt: lastStatusAt === null ? null : new Date(lastStatusAt),
    })),
  )
}

/** Search among the accounts this server knows. */
export interface AccountSearch {
  /** As typed, without a leading `@`. */
  readonly text: string
  /** The text as a handle, whose account heads the list; null where it cannot be one. */
  readonly handle: Handle | null
  /** Account that the handle led to at its server, under whatever handle it is known. */
  readonly resolved?: AccountId | null
  readonly onlyFollowed: boolean
  /** The request looks for other kinds of results as well. */
  readonly isOneOfMany?: boolean
  readonly limit: number
  readonly offset: number
}

const mostWords = 8
/** A single letter matches half of all accounts; only the newest of them are read. */
const mostCandidates = { anonymous: 200, members: 325, amongOthers: 300 }
const mostCharacters = 200

/**
 * Accounts whose name, display name or domain has words beginning with all words of the text, as a selection (id,
 * cursor): the exact handle first, then accounts the viewer follows, the same username on other servers, and the
 * most followed.
 *
 * Null when the query is empty. Suspended and moved accounts are left out.
 */
export function selectMatching(viewer: ViewerRef, search: AccountSearch): SQL | null {
  const pattern = patternOf(search.text)
  const { handle, onlyFollowed, limit, offset } = search
  const most = !viewer.signedIn
    ? mostCandidates.anonymous
    : search.isOneOfMany === true
      ? mostCandidates.amongOthers
      : mostCandidates.members
  if (pattern === null || limit === 0 || offset > most) return null
  const follows = sql`exists (select 1 from follows
    where follows.account_id = ${viewer.id} and follows.target_account_id = a.id)`
  const named = handle === null ? sql`(1 = 0)` : sql`(lower(a.username) = ${handle.username.toLowerCase()})`
  const holder = search.resolved ?? (handle === null ? null : idByNameAtHost(handle))
  const exact = holder === null ? sql`(1 = 0)` : sql`(a.id = ${holder})`
  const owner = sql`select a.id from accounts a where ${exact}`
  const newest = sql`select rowid as id from (select rowid from account_search where account_search match ${pattern}
    order by rowid desc ${limitTo(most)})`
  // Without a handle the owner would be looked for among all accounts. `union` would sort all candidates first.
  const found = handle === null ? newest : sql`${newest} where rowid is not (${owner}) union all ${owner}`
  // A followed account is a row: with followed accounts alone, it is read once.
  const order = onlyFollowed
    ? sql`${exact} desc, ${named} desc, a.followers_count desc, a.id`
    : sql`${exact} desc, ${follows} desc, ${named} desc, a.followers_count desc, a.id`
  // The limit keeps SQLite from checking users before it sorts: only those of the page, and before it, are looked up.
  return sql`
    select id, -row_number() over () as cursor from (
      select a.id as id from (
        select a.id, a.domain from (${found}) found cross join accounts a on a.id = found.id
        where a.suspended_at is null and a.moved_to_account_id is null and ${onlyFollowed ? follows : sql`1`}
        order by ${order} limit -1) a
      where ${isVisibleAccount('a')} ${limitTo(limit)} offset ${offset})`
}

/** Full-text pattern matching the beginnings of the words; every word is quoted, so none acts as an operator. */
export function patternOf(text: string): string | null {
  const words = text
    .slice(0, mostCharacters)
    .replaceAll('\u0000', ' ')
    .split(/[\s@]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, mostWords)
  return words.length === 0 ? null : words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(' ')
}
