import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first, inList, jsonRows, oneRow, type Query, rows } from '../../db/query'
import { accountMoves, accounts, endorsements, followRequests, follows, notifications } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, type Outcome, rejected } from '../core/changes'
import { deduplicateActivity } from '../core/received-activities'
import type { Viewer } from '../core/viewer'
import { mayJoinList } from '../lists/edit'
import { notify } from '../notifications/notify'
import { blockSql } from '../policy/block-predicates'
import { isInLocalPart } from '../policy/visibility'
import { followRemoved } from './follow-rows'

/** Followers moved per run: each federates two activities. */
const chunk = 50

/** A local follower: the follow that ends, and the id of the one that replaces it. */
interface Follower {
  readonly id: AccountId
  readonly old: number
  readonly uri: string | null
  readonly next: number
}

/**
 * Makes local followers of a moved account follow its new account, with the options they had, and ends the old
 * follows. Each is federated as an activity of its own follower: no server accepts claims of another server
 * about follows.
 *
 * Followers that follow the new account already, block it or are blocked by it, only lose the old follow. Takes
 * fifty and leaves the rest to a job. Emits `follow.created` or `follow.requested`, and `follow.removed`, for each.
 */
export async function moveFollowers(ctx: Ctx, from: AccountId, to: AccountId): Promise<void> {
  const { target, waiting } = await execute(
    ctx.db,
    combineQueries({ target: targetOf(ctx, to), waiting: followersOf(ctx, from) }),
  )
  if (target === null || waiting.length === 0) return
  const followers = waiting.map((row) => ({ ...row, next: ctx.ids.next() }))
  const changes = new Changes()
  if (target.domain === null) followLocal(ctx, changes, to, followers)
  else requestRemote(ctx, changes, to, followers)
  moveOnLists(ctx, changes, { from, to, followers })
  endOldFollows(ctx, changes, from, followers)
  await commit(ctx, changes)
  if (waiting.length === chunk)
    await ctx.jobs.send({ kind: 'move-followers', accountId: from, targetAccountId: to })
}

function targetOf(ctx: Ctx, id: AccountId) {
  return first(ctx.db.select({ domain: accounts.domain }).from(accounts).where(eq(accounts.id, id)))
}

function followersOf(ctx: Ctx, from: AccountId) {
  return rows(
    ctx.db
      .select({ id: follows.accountId, old: follows.id, uri: follows.uri })
      .from(follows)
      .where(
        sql`${follows.targetAccountId} = ${from} and ${isInLocalPart('follows')}
          and exists (select 1 from users where users.account_id = ${follows.accountId})`,
      )
      .orderBy(follows.id)
      .limit(chunk),
  )
}

/** Follows a local target. As in Mastodon also where it is locked, for it has accepted these followers before. */
function followLocal(ctx: Ctx, changes: Changes, to: AccountId, followers: readonly Follower[]): void {
  const made = sql`select f.account_id from ${jsonRows(followers.map(({ next }) => next))} cross join follows f
    on f.id = item.value`
  const people = followers.map(({ id }) => id)
  changes.add(
    insertFrom(ctx, 'follows', to, followers),
    ctx.db
      .update(accounts)
      .set({ followersCount: sql`${accounts.followersCount} + (select count(*) from (${made}))` })
      .where(eq(accounts.id, to)),
    ctx.db
      .update(accounts)
      .set({ followingCount: sql`${accounts.followingCount} + 1` })
      .where(sql`${accounts.id} in (${made})`),
    ctx.db
      .delete(followRequests)
      .where(sql`${inList(followRequests.accountId, people)} and ${followRequests.targetAccountId} = ${to}`),
    ctx.db.delete(notifications).where(
      sql`${notifications.accountId} = ${to} and ${notifications.type} = 'follow_request'
          and ${inList(notifications.fromAccountId, people)}`,
    ),
  )
  notify(
    ctx,
    changes,
    people.map((id) => ({ to, from: id, type: 'follow' as const, statusId: null })),
  )
  for (const id of people) changes.emit({ kind: 'follow.created', accountId: id, targetAccountId: to })
}

function requestRemote(ctx: Ctx, changes: Changes, to: AccountId, followers: readonly Follower[]): void {
  changes.add(insertFrom(ctx, 'follow_requests', to, followers))
  for (const { id, next } of followers)
    changes.emit({ kind: 'follow.requested', accountId: id, targetAccountId: to, followId: next })
}

function insertFrom(
  ctx: Ctx,
  table: 'follows' | 'follow_requests',
  to: AccountId,
  followers: readonly Follower[],
) {
  const pairs = followers.map(({ old, next }) => ({ old, next }))
  return ctx.db.run(sql`
    insert into ${sql.raw(table)} (id, account_id, target_account_id, show_reblogs, notify, languages, show_replies, fewer, created_at)
    select item.value ->> 'next', f.account_id, ${to}, f.show_reblogs, f.notify, f.languages, f.show_replies, f.fewer,
      ${ctx.clock.now().getTime()}
    from ${jsonRows(pairs)} cross join follows f on f.id = item.value ->> 'old'
    where f.account_id <> ${to}
      and not exists (select 1 from follows known
        where known.account_id = f.account_id and known.target_account_id = ${to})
      and not ${blockSql.blocksEither(sql`f.account_id`, to)}
      and not ${blockSql.blocksDomainOf(sql`f.account_id`, to)}
    on conflict (account_id, target_account_id) do nothing`)
}

/** Replaces the old account by the new one on the lists of its followers, before their follows end. */
function moveOnLists(
  ctx: Ctx,
  changes: Changes,
  {
    from,
    to,
    followers,
  }: { readonly from: AccountId; readonly to: AccountId; readonly followers: readonly Follower[] },
): void {
  const owners = inList(
    sql`owner_id`,
    followers.map(({ id }) => id),
  )
  changes.add(
    ctx.db.run(sql`update or ignore list_accounts set account_id = ${to}
      where account_id = ${from} and ${owners} and ${mayJoinList(sql`owner_id`, sql`${to}`)}`),
  )
}

function endOldFollows(ctx: Ctx, changes: Changes, from: AccountId, followers: readonly Follower[]): void {
  const people = followers.map(({ id }) => id)
  const old = inList(
    sql`f.id`,
    followers.map((follower) => follower.old),
  )
  // Counters first: they read the rows deleted below.
  changes.add(
    ctx.db
      .update(accounts)
      .set({ followingCount: sql`max(0, ${accounts.followingCount} - 1)` })
      .where(sql`${accounts.id} in (select f.account_id from follows f where ${old})`),
    ctx.db
      .update(accounts)
      .set({
        followersCount: sql`max(0, ${accounts.followersCount} - (select count(*) from follows f where ${old}))`,
      })
      .where(eq(accounts.id, from)),
    ctx.db.delete(follows).where(
      inList(
        follows.id,
        followers.map((follower) => follower.old),
      ),
    ),
    ctx.db
      .delete(endorsements)
      .where(sql`${inList(endorsements.accountId, people)} and ${endorsements.targetAccountId} = ${from}`),
    ctx.db.delete(notifications).where(
      sql`${notifications.accountId} = ${from} and ${notifications.type} = 'follow'
          and ${inList(notifications.fromAccountId, people)}`,
    ),
  )
  for (const { id, old: followId, uri } of followers)
    changes.emit(followRemoved({ from: id, to: from }, { id: followId, uri }, id))
}

/** Cooldown between two moves of an account. */
const cooldownMilliseconds = 7 * dayMilliseconds

export interface MoveFacts {
  /** The account has local followers. */
  readonly followed: boolean
  /** The account is in its cooldown after a move. */
  readonly resting: boolean
}

/** Facts that decide whether a Move of `account` is processed. One statement. */
export async function findMoveFacts(ctx: Ctx, account: AccountId): Promise<MoveFacts> {
  const facts: Query<{ followed: number; resting: number } | null> = first(
    ctx.db
      .select({
        followed:
          sql<number>`exists (select 1 from follows f cross join users on users.account_id = f.account_id
          where f.target_account_id = ${account} and ${isInLocalPart('f')})`.as('followed'),
        resting: sql<number>`${isInCooldown(ctx, account)}`.as('resting'),
      })
      .from(oneRow),
  )
  const row = await execute(ctx.db, facts)
  return { followed: row?.followed === 1, resting: row?.resting === 1 }
}

/**
 * Records that a remote account moved to `target`, which must list it as an alias.
 *
 * Refused: a target that does not, a suspended one, itself, and moving again within seven days. Emits
 * `account.moved`; its effect makes the local followers follow the new account.
 */
export async function receiveMove(
  ctx: Ctx,
  mover: Pick<Viewer, 'id'> & { readonly uri: string },
  { target, uri }: { readonly target: AccountId; readonly uri: string | null },
): Promise<Outcome> {
  const found = await execute(ctx.db, moveTargetOf(ctx, target))
  if (found === null || found.suspendedAt !== null || target === mover.id)
    return rejected('the target of the move is unknown or suspended')
  if (!found.alsoKnownAs.includes(mover.uri))
    return rejected('the target of the move does not list the account as an alias')
  const now = ctx.clock.now()
  const changes = new Changes().require(
    sql`not ${isInCooldown(ctx, mover.id)}`,
    new Conflict('moved_shortly_before'),
  )
  deduplicateActivity(ctx, changes, uri)
  changes
    .add(
      ctx.db
        .update(accounts)
        .set({ movedToAccountId: target, updatedAt: now })
        .where(eq(accounts.id, mover.id)),
      ctx.db.insert(accountMoves).values({
        id: ctx.ids.next(),
        accountId: mover.id,
        targetAccountId: target,
        createdAt: now,
        followersCount: sql`(select followers_count from accounts where id = ${mover.id})`,
      }),
    )
    .emit({ kind: 'account.moved', accountId: mover.id, targetAccountId: target })
  await commit(ctx, changes)
  return done
}

function moveTargetOf(ctx: Ctx, id: AccountId) {
  const { alsoKnownAs, suspendedAt } = accounts
  return first(ctx.db.select({ alsoKnownAs, suspendedAt }).from(accounts).where(eq(accounts.id, id)))
}

function isInCooldown(ctx: Ctx, account: AccountId) {
  const since = ctx.clock.now().getTime() - cooldownMilliseconds
  return sql`exists (select 1 from account_moves where account_id = ${account} and created_at > ${since})`
}
