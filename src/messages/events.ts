import * as z from 'zod'
import type { AccountId, NotificationId, StatusId, TokenId } from '../lib/ids'

const id = z.number().int()

/** A follow or request that is no more: `followId` its row, `uri` what its server called it. */
const EndedFollow = z.object({ accountId: id, followId: id, uri: z.string().nullable() })

const tie = { accountId: id, targetAccountId: id }
/** Null where there never was a row: then the id there is all that names it. */
const endedTie = { ...tie, followId: id.nullable(), uri: z.string().nullable() }
const inCollection = { accountId: id, collectionId: id, itemId: id, memberId: id }
const ofStatus = { accountId: id, statusId: id }

/** The picture of a custom emoji, as reactions keep it. */
const still = z.string().exactOptional()
const EmojiPicture = z.object({
  shortcode: z.string(),
  image: z.union([z.object({ key: z.string(), still }), z.object({ remote: z.string(), still })]),
  uri: z.string().exactOptional(),
})

/**
 * What other servers may have to hear of. Where the row is gone afterwards, the event carries what it told.
 * `by` is whose deed it was: other servers know what their own people did.
 */
export const FederatedEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account.deleted'), accountId: id }),
  // To another account of the same person, anywhere.
  z.object({ kind: z.literal('account.moved'), ...tie }),
  // What its actor document says has changed.
  z.object({ kind: z.literal('account.updated'), accountId: id }),
  z.object({ kind: z.literal('block.created'), ...tie, blockId: id }),
  z.object({ kind: z.literal('block.removed'), ...tie, blockId: id }),
  z.object({
    kind: z.literal('domain.blocked'),
    accountId: id,
    domain: z.string(),
    // Named by the other side of each.
    followed: z.array(EndedFollow),
    followers: z.array(EndedFollow),
  }),
  // A collection of accounts that one of ours made.
  z.object({ kind: z.literal('collection.created'), accountId: id, collectionId: id }),
  z.object({ kind: z.literal('collection.updated'), accountId: id, collectionId: id }),
  z.object({
    kind: z.literal('collection.deleted'),
    ...{ accountId: id, collectionId: id },
    memberIds: z.array(id),
    discoverable: z.boolean(),
  }),
  z.object({ kind: z.literal('collection.joined'), ...inCollection }),
  z.object({ kind: z.literal('collection.left'), ...inCollection }),
  // Asked of somebody elsewhere: to be in a collection.
  z.object({ kind: z.literal('feature.requested'), ...tie, collectionId: id, itemId: id }),
  // One of ours answers a request from elsewhere. `itemId` is what they agreed to, null where they refused.
  z.object({
    kind: z.literal('feature.answered'),
    ...{ accountId: id, requesterId: id, itemId: id.nullable() },
    requestUri: z.string(),
    collectionUri: z.string(),
  }),
  // One of ours takes back their consent to being in a collection elsewhere.
  z.object({
    kind: z.literal('feature.revoked'),
    ...{ accountId: id, ownerId: id, itemId: id },
    collectionUri: z.string(),
  }),
  z.object({ kind: z.literal('favourite.created'), ...ofStatus, favouriteId: id }),
  z.object({ kind: z.literal('favourite.removed'), ...ofStatus, favouriteId: id }),
  // Asked for at another server, which has to accept.
  z.object({ kind: z.literal('follow.requested'), ...tie, followId: id }),
  z.object({ kind: z.literal('follow.withdrawn'), ...endedTie, by: id }),
  z.object({ kind: z.literal('follow.rejected'), ...endedTie, by: id }),
  z.object({ kind: z.literal('follow.created'), ...tie }),
  z.object({ kind: z.literal('follow.removed'), ...endedTie, by: id }),
  z.object({ kind: z.literal('pin.created'), ...ofStatus }),
  z.object({ kind: z.literal('pin.removed'), ...ofStatus }),
  z.object({ kind: z.literal('poll.voted'), ...ofStatus, pollId: id, choices: z.array(id) }),
  z.object({ kind: z.literal('reaction.created'), ...ofStatus, reactionId: id }),
  z.object({
    kind: z.literal('reaction.removed'),
    ...{ ...ofStatus, reactionId: id },
    name: z.string(),
    emoji: EmojiPicture.nullable(),
  }),
  // Asked of the author of another server whom this status answers or whose status it reblogs.
  z.object({ kind: z.literal('approval.requested'), ...ofStatus }),
  // The answer of a local author to such a request. `statusId` is the answer or reblog, null where it was refused.
  z.object({
    kind: z.literal('approval.answered'),
    accountId: id,
    statusId: id.nullable(),
    requesterId: id,
    requestUri: z.string(),
    requestType: z.enum(['ReplyRequest', 'AnnounceRequest']),
    targetStatusId: id,
    interactionUri: z.string(),
  }),
  // Asked of somebody elsewhere, for the quote in this status.
  z.object({ kind: z.literal('quote.requested'), ...ofStatus }),
  // One of ours answers a request from elsewhere. `statusId` is the status that quotes, null where it was refused.
  z.object({
    kind: z.literal('quote.answered'),
    accountId: id,
    statusId: id.nullable(),
    requesterId: id,
    requestUri: z.string(),
    quotedStatusId: id,
    quotingUri: z.string(),
  }),
  // One of ours takes back their consent to the quote in this status.
  z.object({ kind: z.literal('quote.revoked'), ...ofStatus, quotingAccountId: id }),
  z.object({ kind: z.literal('reblog.created'), ...ofStatus }),
  z.object({
    kind: z.literal('reblog.removed'),
    ...ofStatus,
    reblogOfId: id,
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  }),
  // For the server of the reported account, or of somebody its statuses answer.
  z.object({ kind: z.literal('report.forwarded'), reportId: id, domain: z.string() }),
  z.object({ kind: z.literal('status.created'), ...ofStatus }),
  // Edited, or the tally of its poll has moved.
  z.object({ kind: z.literal('status.updated'), ...ofStatus }),
  z.object({
    kind: z.literal('status.deleted'),
    ...ofStatus,
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
    // One person of each server that had to do with it.
    concernedIds: z.array(id),
  }),
  // On the profile of the account.
  z.object({ kind: z.literal('tag.featured'), accountId: id, featuredId: id }),
  z.object({ kind: z.literal('tag.unfeatured'), accountId: id, tag: z.string(), name: z.string() }),
])
export type FederatedEvent = z.infer<typeof FederatedEvent>

/** What happened. Ids only: a consumer reloads and tolerates absence. Every kind has its effects in jobs/effects.ts. */
export const DomainEvent = z.discriminatedUnion('kind', [
  FederatedEvent,
  // Somebody of another server is no more: what they left has to go.
  z.object({ kind: z.literal('account.left'), accountId: id }),
  z.object({ kind: z.literal('account.unlocked'), accountId: id }),
  // The servers after `after` have still to be told.
  z.object({
    kind: z.literal('delivery.wanted'),
    eventId: id,
    event: FederatedEvent,
    after: z.string(),
  }),
  // Its pictures have to go.
  z.object({ kind: z.literal('domain.limited'), domain: z.string() }),
  // The next parts of the suspension of a server.
  z.object({ kind: z.literal('suspension.wanted'), domain: z.string() }),
  // An emoji of this server came, went, was taken out of use or into it: what names it has to show it, or not. `after`
  // is the last text that was looked at.
  z.object({
    kind: z.literal('emoji.changed'),
    shortcode: z.string(),
    after: z.object({ kind: z.enum(['status', 'account', 'announcement']), subjectId: id }).nullable(),
  }),
  // Another server takes others for its followers here than we do, and lists them at `url`.
  z.object({ kind: z.literal('followers.doubted'), accountId: id, url: z.string() }),
  z.object({ kind: z.literal('files.unused'), keys: z.array(z.string()) }),
  // Another server passed on that something happened to this object; only its own can tell.
  z.object({ kind: z.literal('hint.received'), uri: z.string() }),
  // A status links to a page. Wait so long before it is asked for its preview.
  z.object({ kind: z.literal('link.seen'), statusId: id, delaySeconds: id }),
  // A part of what somebody brought from elsewhere is to be worked on.
  z.object({ kind: z.literal('import.wanted'), importId: id }),
  // What has the hashtag enters their home; `followId` names the follow.
  z.object({ kind: z.literal('tag.followed'), accountId: id, followId: id }),
  z.object({ kind: z.literal('tag.unfollowed'), accountId: id, tagId: id }),
  // Who is on it, or whether it keeps them out of the home of its owner; `joinedIds` are those who came.
  z.object({
    kind: z.literal('list.changed'),
    accountId: id,
    listId: id,
    joinedIds: z.array(id),
    concernsHome: z.boolean(),
  }),
  z.object({
    kind: z.literal('mail.wanted'),
    accountId: id,
    purpose: z.enum(['confirm', 'reset', 'approved']),
  }),
  // Some of these people want to be mailed about their notifications.
  z.object({ kind: z.literal('notice.mail_wanted'), notificationIds: z.array(id) }),
  // What a status answers is on another server and unknown here; `levels` tells how many may be fetched in a row.
  z.object({ kind: z.literal('thread.wanted'), statusId: id, levels: id }),
  // The answers to a status of another server may be unknown here; `levels` deep.
  z.object({ kind: z.literal('replies.wanted'), statusId: id, levels: id }),
  // A status of another server quotes something, and says that its author agreed.
  z.object({ kind: z.literal('quote.unproven'), statusId: id }),
  // Somebody elsewhere asks to quote one of ours in a status that is unknown here.
  z.object({
    kind: z.literal('quote.asked'),
    accountId: id,
    uri: z.string(),
    quotedUri: z.string(),
    quotingUri: z.string(),
  }),
  // Somebody elsewhere pinned a post of theirs that is unknown here.
  z.object({ kind: z.literal('pin.wanted'), accountId: id, statusUri: z.string(), collection: z.string() }),
  // Somebody elsewhere shared what is unknown here.
  z.object({
    kind: z.literal('reblog.wanted'),
    accountId: id,
    uri: z.string(),
    statusUri: z.string(),
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
    publishedAt: id,
  }),
  // The posts of an account of another server are unknown here, but for those that were sent.
  z.object({ kind: z.literal('backfill.wanted'), accountId: id }),
  // Could not be posted at its time, and waits for its author.
  z.object({ kind: z.literal('schedule.failed'), accountId: id, scheduledId: id }),
  // Somebody elsewhere asks to put one of ours into a collection that is unknown here.
  z.object({
    kind: z.literal('feature.asked'),
    accountId: id,
    uri: z.string(),
    username: z.string(),
    collectionUri: z.string(),
  }),
  // Somebody asked for a report of their year.
  z.object({ kind: z.literal('annual_report.wanted'), accountId: id, year: id }),
  // Somebody wants to be told of these by push; what comes up to `after` is done.
  z.object({
    kind: z.literal('push.wanted'),
    notificationIds: z.array(id),
    after: z.object({ subscriptionId: id, notificationId: id }).exactOptional(),
  }),
  // A push service did not take one; `attempt` counts how often.
  z.object({ kind: z.literal('push.failed'), subscriptionId: id, notificationId: id, attempt: id }),
  // Confirmed and approved for the first time.
  z.object({ kind: z.literal('member.joined'), accountId: id }),
])
export type DomainEvent = z.infer<typeof DomainEvent>

/**
 * What only matters to who is here now: told once the batch holds, and to nobody where nobody listens. It skips the
 * outbox, for whoever missed it finds out by reading. Every kind has its listeners in domain/streams/find-audience.ts
 * and its messages in streaming/publish.ts.
 */
export type News =
  | { readonly kind: 'status.posted'; readonly statusId: StatusId }
  | { readonly kind: 'status.edited'; readonly statusId: StatusId }
  // Told of those who listen before it goes.
  | { readonly kind: 'status.removed'; readonly statusId: StatusId }
  | { readonly kind: 'notifications.made'; readonly ids: readonly NotificationId[] }
  // What a policy had held back stands among the others now.
  | { readonly kind: 'notifications.merged'; readonly accountId: AccountId }
  | { readonly kind: 'announcement.published'; readonly announcementId: number }
  | { readonly kind: 'announcement.reacted'; readonly announcementId: number; readonly name: string }
  | { readonly kind: 'announcement.removed'; readonly announcementId: number }
  // To devices that encrypt, of whomever.
  | { readonly kind: 'messages.encrypted'; readonly ids: readonly number[] }
  // Somebody's filters are others than before.
  | { readonly kind: 'filters.changed'; readonly accountId: AccountId }
  // Whom somebody meets: blocks in either direction, mutes, domains, languages.
  | { readonly kind: 'rules.changed'; readonly accountId: AccountId }
  // What somebody may do has changed, or whether they may be here at all.
  | { readonly kind: 'standing.changed'; readonly accountId: AccountId }
  // The operator shows public timelines or those of hashtags to others than before.
  | { readonly kind: 'feeds.changed' }
  // These tokens are no more; null: none of theirs is.
  | {
      readonly kind: 'sessions.ended'
      readonly accountId: AccountId
      readonly tokenIds: readonly TokenId[] | null
    }

export type EventKind = DomainEvent['kind']
