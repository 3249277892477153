import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, rows } from '../../db/query'
import { accountDeletions, accounts, follows, remoteActors } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { countUser } from '../metrics/counters'
import { notifySevered, retryWhileFollowsChange, severFollows } from '../relationships/sever'
import { blockAddressOf } from '../sign-up-blocks/canonical-email-blocks'
import { accountToModerate, handleOf, isPublicMember, type ModeratedAccount } from './find-target'

/** Days for which a suspension can be lifted with everything coming back; the data are removed afterwards. */
export const reversibleDays = 30

/**
 * Adds a suspension. Nothing is deleted: reading leaves out whatever a suspended account made.
 *
 * A local account is published as suspended to the servers that know it, its connections end, and with
 * `blocksAddress` its e-mail address cannot sign up again. A remote one loses its follows of local accounts, since its own server would continue showing it their statuses: a job, because they may be
 * many. An account suspended by its own server becomes one suspended here.
 */
export async function addSuspension(
  ctx: Ctx,
  changes: Changes,
  target: ModeratedAccount,
  { blocksAddress }: { readonly blocksAddress: boolean },
): Promise<void> {
  const { id } = target
  const now = ctx.clock.now()
  const dueAt = new Date(now.getTime() + reversibleDays * dayMilliseconds)
  changes
    .require(
      sql`exists (select 1 from accounts a where a.id = ${id} and (a.suspended_at is null or exists (
        select 1 from remote_actors r where r.account_id = a.id and r.suspended_at_home = 1)))`,
      suspendedAlready(target),
    )
    .add(
      ctx.db.update(accounts).set({ suspendedAt: now }).where(eq(accounts.id, id)),
      ctx.db
        .insert(accountDeletions)
        .values({ accountId: id, dueAt })
        .onConflictDoUpdate({ target: accountDeletions.accountId, set: { dueAt } }),
    )
  if (target.domain !== null) {
    changes
      .add(ctx.db.update(remoteActors).set({ suspendedAtHome: false }).where(eq(remoteActors.accountId, id)))
      .enqueue({ kind: 'end-follows-of-suspended', accountId: id, eventId: ctx.ids.next() })
    return
  }
  if (target.user !== null) {
    changes.add(countUser(ctx, id, -1))
    if (blocksAddress) await blockAddressOf(ctx, changes, { accountId: id, email: target.user.email })
  }
  if (isPublicMember(target)) changes.emit({ kind: 'account.updated', accountId: id })
  changes
    .enqueue({ kind: 'settle-files', accountId: id, after: 0 })
    .publish({ kind: 'sessions.ended', accountId: id, tokenIds: null })
}

/** Refusal of a second suspension. */
export function suspendedAlready(target: ModeratedAccount): Conflict {
  return new Conflict('account_in_state', { handle: handleOf(target), state: 'suspended' })
}

/** Follows that one part ends, each with a Reject to its server. */
const followsPerPart = 100

/**
 * Ends the next follows that a suspended remote account has of local accounts, with a Reject each, and notifies their
 * owners; a job continues with the rest. Nothing happens where the suspension was lifted meanwhile.
 */
export async function endFollowsOfSuspended(ctx: Ctx, accountId: AccountId, eventId: number): Promise<void> {
  const isComplete = await retryWhileFollowsChange(() => endPart(ctx, accountId, eventId))
  if (!isComplete) await ctx.jobs.send({ kind: 'end-follows-of-suspended', accountId, eventId })
}

async function endPart(ctx: Ctx, accountId: AccountId, eventId: number): Promise<boolean> {
  const { target, found } = await execute(
    ctx.db,
    combineQueries({
      target: accountToModerate(ctx, accountId),
      found: rows(
        ctx.db
          .select({ id: follows.id, uri: follows.uri, followedId: follows.targetAccountId })
          .from(follows)
          .where(eq(follows.accountId, accountId))
          .orderBy(follows.id)
          .limit(followsPerPart),
      ),
    }),
  )
  if (target === null || target.domain === null || target.suspendedAt === null || found.length === 0)
    return true
  const changes = new Changes().require(
    sql`exists (select 1 from accounts where id = ${accountId} and suspended_at is not null)`,
    new Conflict('suspension_lifted'),
  )
  severFollows(ctx, changes, {
    id: eventId,
    type: 'account_suspension',
    target: handleOf(target),
    ending: found.map(({ id, followedId }) => ({
      id,
      accountId: followedId,
      otherId: accountId,
      followed: false,
    })),
  })
  notifySevered(
    ctx,
    changes,
    eventId,
    found.map(({ followedId }) => followedId),
  )
  for (const { id, uri, followedId } of found)
    changes.emit({
      kind: 'follow.rejected',
      accountId,
      targetAccountId: followedId,
      followId: id,
      uri,
      by: followedId,
    })
  await commit(ctx, changes)
  return found.length < followsPerPart
}
