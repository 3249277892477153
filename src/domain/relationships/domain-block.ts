import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  combineQueries,
  execute,
  first,
  inList,
  jsonRows,
  limitTo,
  map,
  oneRow,
  type Query,
  rows,
} from '../../db/query'
import { accountDomainBlocks, endorsements, followRequests, notifications } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { deleteConversationsWithDomain } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { type Page, pageSql } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'
import { latestFollowers } from '../policy/visibility'
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
const mostPreviewed = 80

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
 * notifications and conversations.
 *
 * Begins with the first accounts of the domain known here; a job continues with the rest (`continue-domain-block`).
 * Emits `domain.blocked` for each part in which follows ended.
 */
export function blockDomain(ctx: Ctx, viewer: Pick<Viewer, 'id'>, domain: string): Promise<void> {
  const { accountId, domain: blocked } = accountDomainBlocks
  const first = { accountId: viewer.id, domain, severanceId: ctx.ids.next(), after: 0 }
  return retryWhileFollowsChange(async () => {
    const changes = new Changes().add(
      ctx.db
        .insert(accountDomainBlocks)
        .values({ accountId: viewer.id, domain, id: ctx.ids.next() })
        .onConflictDoNothing({ target: [accountId, blocked] }),
      deleteConversationsWithDomain(ctx, viewer.id, domain),
    )
    await addPart(ctx, changes, { ...first, isFirst: true })
    await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: viewer.id }))
  })
}

/** Position in the accounts of a blocked domain, as the job carries it. */
export interface DomainBlockPart {
  readonly accountId: AccountId
  readonly domain: string
  /** Id of the severance event, shared by all parts. */
  readonly severanceId: number
  /** Last account processed. */
  readonly after: AccountId
}

/** Ends what ties a member to the next accounts of a domain they block. Nothing happens once the block is removed. */
export function continueDomainBlock(ctx: Ctx, part: DomainBlockPart): Promise<void> {
  return retryWhileFollowsChange(async () => {
    const changes = new Changes()
    if (await addPart(ctx, changes, { ...part, isFirst: false })) await commit(ctx, changes)
  })
}

/** Accounts in one part: an event names each follow of theirs that ends. */
const accountsPerPart = 200

/** Adds one part, and the job for the next. False where there is nothing to do. */
async function addPart(
  ctx: Ctx,
  changes: Changes,
  { isFirst, ...part }: DomainBlockPart & { readonly isFirst: boolean },
): Promise<boolean> {
  const { accountId: me, domain, severanceId } = part
  const { members, ending, isBlocked } = await execute(ctx.db, findPart(ctx, part))
  if (!isFirst && !isBlocked) return false
  const ids = members.map(({ id }) => id)
  const last = ids.at(-1)
  if (last !== undefined) changes.add(...deleteTies(ctx, me, ids))
  severFollows(ctx, changes, {
    id: severanceId,
    type: 'user_domain_block',
    target: domain,
    ending: ending.map(({ id, from, to }) => ({
      id,
      accountId: me,
      otherId: from === me ? to : from,
      followed: from === me,
    })),
  })
  if (ending.length > 0) notifySevered(ctx, changes, severanceId, [me])
  const ended = (mine: 'from' | 'to', other: 'from' | 'to') =>
    ending
      .filter((tie) => tie[mine] === me)
      .map((tie) => ({ accountId: tie[other], followId: tie.id, uri: tie.uri }))
  if (isFirst || ending.length > 0)
    changes.emit({
      kind: 'domain.blocked',
      accountId: me,
      domain,
      followed: ended('from', 'to'),
      followers: ended('to', 'from'),
    })
  if (last !== undefined && ids.length === accountsPerPart)
    changes.enqueue({ kind: 'continue-domain-block', accountId: me, domain, severanceId, after: last })
  return last !== undefined
}

function findPart(ctx: Ctx, { accountId: me, domain, after }: DomainBlockPart) {
  const next = sql`select a.id from accounts a where a.domain = ${domain} and a.id > ${after}
    order by a.id ${limitTo(accountsPerPart)}`
  const tie = (on: SQL) => sql`select f.id, f.account_id, f.target_account_id, f.uri
    from (${next}) there cross join follows f on ${on}`
  const ties = sql`${tie(sql`f.account_id = there.id and f.target_account_id = ${me}`)}
    union all ${tie(sql`f.account_id = ${me} and f.target_account_id = there.id`)}`
  const isBlocked = sql<number>`exists (select 1 from account_domain_blocks
    where account_id = ${me} and domain = ${domain})`
  return combineQueries({
    members: rows(ctx.db.select({ id: sql<AccountId>`there.id`.as('id') }).from(sql`(${next}) there`)),
    ending: rows(
      ctx.db
        .select({
          id: sql<number>`tie.id`.as('id'),
          uri: sql<string | null>`tie.uri`.as('uri'),
          from: sql<AccountId>`tie.account_id`.as('from'),
          to: sql<AccountId>`tie.target_account_id`.as('to'),
        })
        .from(sql`(${ties}) tie`),
    ),
    isBlocked: map(
      first(ctx.db.select({ found: isBlocked.as('found') }).from(oneRow)),
      (row) => row?.found === 1,
    ),
  })
}

/** Statements that delete requests, endorsements and notifications between `me` and `others`. */
function deleteTies(ctx: Ctx, me: AccountId, others: readonly AccountId[]) {
  return [
    ctx.db.delete(followRequests).where(sql`id in (
      select r.id from ${jsonRows(others)} cross join follow_requests r on r.account_id = ${me}
        and r.target_account_id = item.value
      union all
      select r.id from ${jsonRows(others)} cross join follow_requests r on r.account_id = item.value
        and r.target_account_id = ${me})`),
    ctx.db
      .delete(endorsements)
      .where(and(eq(endorsements.accountId, me), inList(endorsements.targetAccountId, others))),
    ctx.db
      .delete(notifications)
      .where(and(inList(notifications.fromAccountId, others), sql`+${notifications.accountId} = ${me}`)),
  ]
}

/** Removes a domain block; a missing one is no error. */
export async function unblockDomain(ctx: Ctx, viewer: Pick<Viewer, 'id'>, domain: string): Promise<void> {
  const { accountId, domain: blocked } = accountDomainBlocks
  const isBlock = and(eq(accountId, viewer.id), eq(blocked, domain))
  const changes = new Changes().add(ctx.db.delete(accountDomainBlocks).where(isBlock))
  await commit(ctx, changes.publish({ kind: 'rules.changed', accountId: viewer.id }))
}
