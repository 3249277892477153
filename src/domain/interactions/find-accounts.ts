import { type SQL, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import type { BoundedSelection } from '../../db/selection'
import { limitTo } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { accountsPage } from '../core/account-page'
import type { Page } from '../core/page'
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
