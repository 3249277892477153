import { and, eq, type SQL, sql } from 'drizzle-orm'
import { execute, first, map, type Query, rows } from '../../db/query'
import { accountDomainBlocks, endorsements, followRequests, notifications } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { deleteConversationsWithDomain } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { type Page, pageSql } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { latestFollowers } from '../policy/follower-parts'
import { notifySevered, retryWhileFollowsChange, severFollows } from './sever'

/** Domains the viewer blocks, newest first; the cursor is the id of the block. */
export function blockedDomains(
  ctx: Ctx,
  viewer: ViewerRef,
  page: Page,
): Query<readonly { readonly domain: string; readonly cursor: number }[]> {
  const selection = pageSql(
    page,
    sql`d.id`,
    (bounds) => sql`select d.domain as domain, d.id as cursor from account_domain_blocks d
      where d.account_id = ${viewer.id} and ${bounds}`,
  )
  return rows(
    ctx.db
      .select({
        domain: sql<string>`page.domain`.as('domain'),
        cursor: sql<number>`page.cursor`.as('cursor'),
      })
      .from(sql`(${selection}) page`)
      .orderBy(sql`page.cursor desc`),
  )
}

/** Accounts of a server, or latest follows on either side, that a preview looks at. */
const mostPreviewed = 120

/**
 * Numbers of follows to and from `domain` a block would end: counted where the server has few accounts here or the viewer
 * few follows, otherwise estimated by the share of the latest.
 */
export function domainBlockPreview(
  ctx: Ctx,
  viewer: ViewerRef,
  domain: string,
): Query<{ readonly following: number; readonly followers: number }> {
  const counted = first(
    ctx.db
      .select({
        isSmall: sql<number>`server.is_small`.as('is_small'),
        following: countWith('account_id', 'target_account_id', latestFollowed).as('following'),
        followers: countWith(
          'target_account_id',
          'account_id',
          latestFollowers(sql`me.id`, mostPreviewed),
        ).as('followers'),
        allFollowing: sql<number>`me.following_count`.as('all_following'),
        allFollowers: sql<number>`me.followers_count`.as('all_followers'),
      })
      .from(sql`(select count(*) <= ${mostPreviewed} as is_small, ${domain} as domain from (
        select 1 from accounts a where a.domain = ${domain} ${limitTo(mostPreviewed + 1)})) server
        cross join accounts me on me.id = ${viewer.id}`),
  )
  return map(counted, (row) => {
    if (row === null) return { following: 0, followers: 0 }
    const whole = (found: number, all: number) =>
      row.isSmall === 1 || all <= mostPreviewed ? found : Math.round((found * all) / mostPreviewed)
    return {
      following: whole(row.following, row.allFollowing),
      followers: whole(row.followers, row.allFollowers),
    }
  })
}

/** Follows of `me` on one side with accounts of `server` on the other: all of a small server, or among the latest. */
function countWith(mine: Side, theirs: Side, latest: SQL) {
  const [my, their] = [sql.raw(mine), sql.raw(theirs)]
  return sql<number>`case when server.is_small then
      (select count(*) from accounts a cross join follows f on f.${my} = me.id and f.${their} = a.id
        where a.domain = server.domain)
    else (select count(*) from (${latest}) late
      cross join accounts a on a.id = late.${their} where a.domain = server.domain) end`
}

type Side = 'account_id' | 'target_account_id'

const latestFollowed = sql`select f.target_account_id from follows f where f.account_id = me.id
  order by f.id desc ${limitTo(mostPreviewed)}`

/**
 * Blocks all accounts of `domain` for `viewer`: follows and requests to and from it are deleted, with endorsements,
 * notifications and conversations. Emits `domain.blocked`, one event for all: there may be thousands of follows.
 */
export function blockDomain(ctx: Ctx, viewer: Pick<Viewer, 'id'>, domain: string): Promise<void> {
  return retryWhileFollowsChange(() => blockOnce(ctx, viewer, domain))
}

async function blockOnce(ctx: Ctx, viewer: Pick<Viewer, 'id'>, domain: string): Promise<void> {
  const me = sql`${viewer.id}`
  const ending = await execute(ctx.db, followsWith(ctx, viewer.id, domain))
  const changes = new Changes().add(
    ctx.db
      .insert(accountDomainBlocks)
      .values({ accountId: viewer.id, domain, id: ctx.ids.next() })
      .onConflictDoNothing({ target: [accountDomainBlocks.accountId, accountDomainBlocks.domain] }),
    ctx.db.delete(followRequests).where(
      sql`(${followRequests.accountId} = ${me} and ${isOf(sql`${followRequests.targetAccountId}`, domain)})
        or (${followRequests.targetAccountId} = ${me} and ${isOf(sql`${followRequests.accountId}`, domain)})`,
    ),
    ctx.db
      .delete(endorsements)
      .where(and(eq(endorsements.accountId, viewer.id), isOf(sql`${endorsements.targetAccountId}`, domain))),
    ctx.db
      .delete(notifications)
      .where(and(eq(notifications.accountId, viewer.id), isOf(sql`${notifications.fromAccountId}`, domain))),
    deleteConversationsWithDomain(ctx, viewer.id, domain),
  )
  const severanceId = ctx.ids.next()
  severFollows(ctx, changes, {
    id: severanceId,
    type: 'user_domain_block',
    target: domain,
    ending: ending.map(({ id, from, to }) => ({
      id,
      accountId: viewer.id,
      otherId: from === viewer.id ? to : from,
      followed: from === viewer.id,
    })),
  })
  if (ending.length > 0) notifySevered(ctx, changes, severanceId, [viewer.id])
  const ended = (mine: 'from' | 'to', other: 'from' | 'to') =>
    ending
      .filter((tie) => tie[mine] === viewer.id)
      .map((tie) => ({ accountId: tie[other], followId: tie.id, uri: tie.uri }))
  const [followed, followers] = [ended('from', 'to'), ended('to', 'from')]
  changes.emit({ kind: 'domain.blocked', accountId: viewer.id, domain, followed, followers })
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: viewer.id }))
}

/** Removes a domain block; a missing one is no error. */
export async function unblockDomain(ctx: Ctx, viewer: Pick<Viewer, 'id'>, domain: string): Promise<void> {
  const { accountId, domain: blocked } = accountDomainBlocks
  const isBlock = and(eq(accountId, viewer.id), eq(blocked, domain))
  const changes = new Changes().add(ctx.db.delete(accountDomainBlocks).where(isBlock))
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: viewer.id }))
}

function followsWith(ctx: Ctx, viewer: AccountId, domain: string) {
  const columns = {
    id: sql<number>`tie.id`.as('id'),
    uri: sql<string | null>`tie.uri`.as('uri'),
    from: sql<AccountId>`tie.account_id`.as('from'),
    to: sql<AccountId>`tie.target_account_id`.as('to'),
  }
  return rows(ctx.db.select(columns).from(sql`(${followsBetween(viewer, domain)}) tie`))
}

function followsBetween(viewer: AccountId, domain: string): SQL {
  return sql`select f.id, f.account_id, f.target_account_id, f.uri from follows f
    where (f.account_id = ${viewer} and ${isOf(sql`f.target_account_id`, domain)})
      or (f.target_account_id = ${viewer} and ${isOf(sql`f.account_id`, domain)})`
}

function isOf(account: SQL, domain: string): SQL {
  return sql`exists (select 1 from accounts there where there.id = ${account} and there.domain = ${domain})`
}
