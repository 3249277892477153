import { type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, limitTo, type Query, rows } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { boundedPage, candidateLimit, type Page, pageBounds } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { blockSql } from '../policy/block-predicates'
import { authorNotBlockedOrMuted } from '../policy/blocks-and-mutes'
import { originalOf } from '../statuses/find'

interface InteractionQuery {
  readonly viewer: ViewerRef
  readonly id: StatusId
  readonly now: Date
}

/**
 * Accounts that favourite the status `id`, as rows (id, cursor): the newest favourite first, unless there are very
 * many.
 */
export function favouritersOf(query: InteractionQuery, page: Page): BoundedSelection {
  return accountsPage(page, {
    table: 'favourites',
    person: 'account_id',
    where: sql`m.status_id = ${originalOf(query.id)}`,
    count: countOf(query.id, 'favourites_count'),
    shown: isListedFor(query, 'met.id'),
  })
}

/** Accounts that reblog the status `id` publicly, in the same order. */
export function visibleRebloggersOf(query: InteractionQuery, page: Page): BoundedSelection {
  return accountsPage(page, {
    table: 'statuses',
    person: 'account_id',
    where: sql`m.reblog_of_id = ${originalOf(query.id)} and m.visibility in ('public', 'unlisted')`,
    count: countOf(query.id, 'reblogs_count'),
    shown: isListedFor(query, 'met.id'),
  })
}

function countOf(id: StatusId, counter: 'favourites_count' | 'reblogs_count'): SQL {
  return sql`(select ${sql.raw(counter)} from statuses where id = ${originalOf(id)})`
}

/** Maximum number of reactions read; all listed accounts are among them. */
const reactionsListed = 100

/** Accounts that react to the status `id`, as rows (id, cursor) in no meaningful order. */
export function reactorsOf(query: InteractionQuery): SQL {
  return sql`select distinct r.account_id as id, r.account_id as cursor from (${someReactions(query.id)}) r
    where ${isListedFor(query, 'r.account_id')}`
}

/** Emoji chosen by each of the listed accounts. One statement. */
export function reactionChoices(
  ctx: Ctx,
  id: StatusId,
): Query<{ readonly accountId: AccountId; readonly name: string }[]> {
  return rows(
    ctx.db
      .select({
        accountId: sql<AccountId>`r.account_id`.as('account_id'),
        name: sql<string>`r.name`.as('name'),
      })
      .from(sql`(${someReactions(id)}) r`),
  )
}

function someReactions(id: StatusId): SQL {
  return sql`select account_id, name from emoji_reactions where status_id = ${originalOf(id)}
    order by account_id, name ${limitTo(reactionsListed)}`
}

/**
 * Condition: not suspended, not hidden by the viewer and not blocking them; on the viewer's own statuses too, as in
 * Mastodon.
 */
function isListedFor({ viewer, now }: InteractionQuery, account: string): SQL {
  const active = sql`not exists (select 1 from accounts listed
    where listed.id = ${sql.raw(account)} and listed.suspended_at is not null)`
  if (!viewer.signedIn) return active
  return sql`(${active} and ${authorNotBlockedOrMuted(viewer, now, account)}
    and not ${blockSql.blocks(sql.raw(account), viewer.id)})`
}

/** Relation between accounts whose index is ordered by account id only. */
interface AccountRelation {
  readonly table: 'favourites' | 'statuses'
  /** Column with the related account, the second of an index. */
  readonly person: 'account_id'
  /** Condition on rows of the table, called `m`: the index prefix, and conditions on the row itself. */
  readonly where: SQL
  /** Approximate row count from a stored counter. */
  readonly count: SQL
  /** Condition: `met.id` may be shown. */
  readonly shown: SQL
}

/** Rows that can be sorted for every page, and those that may be added during paging. */
const maxSorted = 70
const maxAdded = 20

/**
 * A page of accounts, as rows (id, cursor). A few are ordered by the rows of the relation, newest first. With more,
 * an index for that order would cost a row for every favourite, and sorting would read them all: those are ordered
 * by account id. The cursor alone identifies the order it belongs to.
 */
function accountsPage(page: Page, { table, person, where, count, shown }: AccountRelation): BoundedSelection {
  const [rows, whose] = [sql.raw(`${table} m`), sql.raw(`m.${person}`)]
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  const most = candidateLimit({ each: 2, limit: page.limit, of: 'people', scan: 150 })
  const at = page.maxId ?? page.sinceId ?? page.minId
  const isLonger = (than: number) => sql`coalesce(${count}, 0) > ${than}`
  const isMany =
    at === undefined
      ? isLonger(maxSorted)
      : // Clients may begin at an id of their own, such as 1.
        sql`(${isLonger(maxSorted + maxAdded)}
          or exists (select 1 from accounts paged where paged.id = ${at}))`
  // `limit 0` reads nothing, so that only one of the two is read.
  const all = sql`select ${whose} as person, m.id as mark from ${rows} where ${where}
    order by ${whose} limit (select iif(is_many, 0, ${maxSorted + maxAdded}) from mode)`
  const sorted = sql`select person as id, mark as cursor from (${all})
    where ${pageBounds(page, sql`mark`)} order by mark ${direction}`
  const byId = sql`select ${whose} as id, ${whose} as cursor from ${rows}
    where ${where} and ${pageBounds(page, whose)} order by ${whose} ${direction}`
  return boundedPage(page, {
    named: sql`mode(is_many) as materialized (select ${isMany}),`,
    shown: sql`select met.id as id, met.cursor as cursor from (
        select * from (${sorted}) union all select * from (${byId} limit (select iif(is_many, ${most}, 0) from mode))) met where ${shown}`,
    last: sql`(select cursor from (${byId}
      limit (select is_many from mode) offset ${sql.raw(String(most - 1))}))`,
    of: 'accounts',
  })
}
