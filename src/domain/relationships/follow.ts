import { and, eq, sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { accountNotes, endorsements, followRequests, follows, invites, users } from '../../db/schema'
import { AppError, Forbidden, Invalid, NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { findRelationshipPair, type RelationshipPair } from './find'
import {
  addFollow,
  addFollowRequest,
  defaultFollowOptions,
  dropFollow,
  dropFollowRequest,
  type FollowOptions,
  followRemoved,
  followWithdrawn,
  isFollow,
  isRequest,
} from './follow-rows'

/** Mastodon's limit on follows, unless an account has nearly as many followers. */
const maxFollows = 7_500
const followsPerFollower = 1.1

/** Account that follows. */
type Follower = Pick<Viewer, 'id' | 'silenced'>

/** Decides the outcome of following. Pure; throws the refusal. */
export function decideFollow(
  viewer: Follower,
  pair: RelationshipPair,
): 'change' | 'change-request' | 'follow' | 'request' {
  if (pair.id === viewer.id) throw new Forbidden('own_follow')
  if (pair.suspended) throw new NotFound()
  if (pair.blocks || pair.blockedBy || pair.blocksDomain || pair.moved) throw new Forbidden()
  if (pair.follows) return 'change'
  if (pair.requested) return 'change-request'
  if (pair.following >= Math.max(maxFollows, Math.floor(pair.followers * followsPerFollower)))
    throw new Invalid('too_many_follows', { max: maxFollows })
  // Remote accounts are followed once their server accepts; accounts limited by moderators have to request.
  return pair.locked || pair.domain !== null || viewer.silenced ? 'request' : 'follow'
}

/**
 * Makes `viewer` follow `target`, or request to where the target approves its followers.
 *
 * Following again changes the options that are given. Refused: oneself, blocks either way, a blocked domain and
 * moved accounts (`Forbidden`), suspended ones (`NotFound`), too many follows (`Invalid`). Emits `follow.created`
 * for a new follow, `follow.requested` where another server has to accept, `follow.changed` where feeds change. Source: docs methods/accounts#follow.
 */
export async function followAccount(
  ctx: Ctx,
  viewer: Follower,
  target: AccountId,
  options: Partial<FollowOptions>,
): Promise<void> {
  const pair = await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes()
  const tie = { from: viewer.id, to: target }
  const hasOptions = Object.keys(options).length > 0
  const { notify: _, ...ofFeeds } = options
  switch (decideFollow(viewer, pair)) {
    case 'follow':
      addFollow(ctx, changes, tie, { ...defaultFollowOptions, ...options })
      break
    case 'request': {
      const followId = ctx.ids.next()
      addFollowRequest(ctx, changes, tie, { ...defaultFollowOptions, ...options, id: followId })
      if (pair.domain !== null)
        changes.emit({ kind: 'follow.requested', accountId: viewer.id, targetAccountId: target, followId })
      break
    }
    case 'change':
      if (hasOptions) changes.add(ctx.db.update(follows).set(options).where(isFollow(tie)))
      if (Object.keys(ofFeeds).length > 0)
        changes.emit({ kind: 'follow.changed', accountId: viewer.id, targetAccountId: target })
      break
    case 'change-request':
      if (hasOptions) changes.add(ctx.db.update(followRequests).set(options).where(isRequest(tie)))
  }
  await commit(ctx, changes)
}

/** Changes options of a follow or a request. `Invalid` without either: an outdated page cannot follow an account again. */
export async function changeFollow(
  ctx: Ctx,
  viewer: Follower,
  target: AccountId,
  options: Partial<FollowOptions>,
): Promise<void> {
  const { follows: isFollowing, requested } = await findRelationshipPair(ctx, viewer, target)
  if (!isFollowing && !requested) throw new Invalid('not_following')
  await followAccount(ctx, viewer, target, options)
}

/**
 * Ends the viewer's follow of `target` (`follow.removed`), or withdraws the request (`follow.withdrawn`). Neither
 * existing is no error.
 */
export async function unfollowAccount(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  target: AccountId,
): Promise<void> {
  const pair = await findRelationshipPair(ctx, viewer, target)
  const tie = { from: viewer.id, to: target }
  const changes = new Changes()
  const { follows: follow, requested } = pair.ties
  if (follow !== null) {
    dropFollow(ctx, changes, tie)
    changes.emit(followRemoved(tie, follow, viewer.id))
  }
  if (requested !== null) {
    dropFollowRequest(ctx, changes, tie)
    if (pair.domain !== null) changes.emit(followWithdrawn(tie, requested, viewer.id))
  }
  await commit(ctx, changes)
}

/** Ends the follow of the viewer by `follower`, who is not notified; a remote server is (`follow.removed`). */
export async function removeFollower(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  follower: AccountId,
): Promise<void> {
  const pair = await findRelationshipPair(ctx, viewer, follower)
  const { followedBy: follow } = pair.ties
  if (follow === null) return
  const tie = { from: follower, to: viewer.id }
  const changes = new Changes()
  dropFollow(ctx, changes, tie)
  await commit(ctx, changes.emit(followRemoved(tie, follow, viewer.id)))
}

/** Features `target` on the viewer's profile. `Invalid` unless the viewer follows it. */
export async function endorseAccount(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<void> {
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes()
    .require(
      sql`exists (select 1 from follows where account_id = ${viewer.id} and target_account_id = ${target})`,
      new Invalid('not_following'),
    )
    .add(
      ctx.db
        .insert(endorsements)
        .values({ id: ctx.ids.next(), accountId: viewer.id, targetAccountId: target })
        .onConflictDoNothing({ target: [endorsements.accountId, endorsements.targetAccountId] }),
    )
  await commit(ctx, changes)
}

export async function unendorseAccount(ctx: Ctx, viewer: Viewer, target: AccountId): Promise<void> {
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes().add(
    ctx.db
      .delete(endorsements)
      .where(and(eq(endorsements.accountId, viewer.id), eq(endorsements.targetAccountId, target))),
  )
  await commit(ctx, changes)
}

const maxCharacters = 2_000

/** Stores the viewer's private note about `target`; an empty comment deletes it. */
export async function noteAccount(
  ctx: Ctx,
  viewer: Viewer,
  target: AccountId,
  comment: string,
): Promise<void> {
  if ([...comment].length > maxCharacters)
    throw new Invalid('too_long', { field: 'comment', max: maxCharacters })
  await findRelationshipPair(ctx, viewer, target)
  const changes = new Changes()
  if (comment.trim() === '')
    changes.add(
      ctx.db
        .delete(accountNotes)
        .where(and(eq(accountNotes.accountId, viewer.id), eq(accountNotes.targetAccountId, target))),
    )
  else
    changes.add(
      ctx.db
        .insert(accountNotes)
        .values({ accountId: viewer.id, targetAccountId: target, comment })
        .onConflictDoUpdate({
          target: [accountNotes.accountId, accountNotes.targetAccountId],
          set: { comment },
        }),
    )
  await commit(ctx, changes)
}

/** Makes a new member follow their inviter, where the invitation says so. Idempotent. */
export async function followInviter(ctx: Ctx, member: AccountId): Promise<void> {
  const inviter = await execute(
    ctx.db,
    first(
      ctx.db
        .select({ id: invites.accountId })
        .from(users)
        .innerJoin(invites, eq(invites.id, users.inviteId))
        .where(and(eq(users.accountId, member), eq(invites.autofollow, true))),
    ),
  )
  if (inviter === null) return
  try {
    await followAccount(ctx, { id: member, silenced: false }, inviter.id, {})
  } catch (failure) {
    // The inviter has been suspended, has moved or has blocked the new member since.
    if (!(failure instanceof AppError)) throw failure
  }
}
