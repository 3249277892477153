import * as z from 'zod'

/** A row id, in facts and commands alike. */
export const id = z.number().int()

/** An ended follow or request: `followId` its row, `uri` its id at the remote server. */
const EndedFollow = z.object({ accountId: id, followId: id, uri: z.string().nullable() })

const tie = { accountId: id, targetAccountId: id }
/** Null where no row existed: then only the remote id identifies it. */
const endedTie = { ...tie, followId: id.nullable(), uri: z.string().nullable() }
const inCollection = { accountId: id, collectionId: id, itemId: id, memberId: id }
const ofStatus = { accountId: id, statusId: id }

/** Picture of a custom emoji, as reactions keep it. */
const still = z.string().exactOptional()
const EmojiPicture = z.object({
  shortcode: z.string(),
  image: z.union([z.object({ key: z.string(), still }), z.object({ remote: z.string(), still })]),
  uri: z.string().exactOptional(),
})

export const StatusDeletion = z.object({
  kind: z.literal('status.deleted'),
  ...ofStatus,
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  // An account of each affected server.
  concernedIds: z.array(id),
})
export type StatusDeletion = z.infer<typeof StatusDeletion>

/**
 * Events that remote servers may receive. Where the row is deleted, the event carries its data. `by` is the account
 * that acted: remote servers already know the acts of their own accounts.
 */
export const FederatedEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account.deleted'), accountId: id }),
  // Target: another account of the same person, on any server.
  z.object({ kind: z.literal('account.moved'), ...tie }),
  // Actor document changed.
  z.object({ kind: z.literal('account.updated'), accountId: id }),
  z.object({ kind: z.literal('block.created'), ...tie, blockId: id }),
  z.object({ kind: z.literal('block.removed'), ...tie, blockId: id }),
  z.object({
    kind: z.literal('domain.blocked'),
    accountId: id,
    domain: z.string(),
    // Identified by the other side of each.
    followed: z.array(EndedFollow),
    followers: z.array(EndedFollow),
  }),
  // Collection of accounts by a local owner.
  z.object({ kind: z.literal('collection.created'), accountId: id, collectionId: id }),
  z.object({ kind: z.literal('collection.updated'), accountId: id, collectionId: id }),
  z.object({
    kind: z.literal('collection.deleted'),
    accountId: id,
    collectionId: id,
    memberIds: z.array(id),
    discoverable: z.boolean(),
  }),
  z.object({ kind: z.literal('collection.joined'), ...inCollection }),
  z.object({ kind: z.literal('collection.left'), ...inCollection }),
  // Request to a remote account to be in a collection.
  z.object({ kind: z.literal('feature.requested'), ...tie, collectionId: id, itemId: id }),
  // Answer of a local account to a remote request. `itemId` is the accepted item, null where refused.
  z.object({
    kind: z.literal('feature.answered'),
    accountId: id,
    requesterId: id,
    itemId: id.nullable(),
    requestUri: z.string(),
    collectionUri: z.string(),
  }),
  // Consent of a local account to a remote collection, revoked.
  z.object({
    kind: z.literal('feature.revoked'),
    accountId: id,
    ownerId: id,
    itemId: id,
    collectionUri: z.string(),
  }),
  z.object({ kind: z.literal('favourite.created'), ...ofStatus, favouriteId: id }),
  // Request to the remote author, who approves each favourite of this status.
  z.object({ kind: z.literal('favourite.requested'), ...ofStatus, favouriteId: id }),
  z.object({ kind: z.literal('favourite.removed'), ...ofStatus, favouriteId: id }),
  // Requested at a remote server, which has to accept.
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
    ...ofStatus,
    reactionId: id,
    name: z.string(),
    emoji: EmojiPicture.nullable(),
  }),
  // Request to the remote author that this status replies to or reblogs.
  z.object({ kind: z.literal('approval.requested'), ...ofStatus }),
  // Answer of a local author to such a request. `statusId` is the reply, reblog or favourite, null where it was refused.
  z.object({
    kind: z.literal('approval.answered'),
    accountId: id,
    statusId: id.nullable(),
    requesterId: id,
    requestUri: z.string(),
    requestType: z.enum(['ReplyRequest', 'AnnounceRequest', 'LikeRequest']),
    targetStatusId: id,
    interactionUri: z.string(),
  }),
  // Request to a remote author, for the quote in this status.
  z.object({ kind: z.literal('quote.requested'), ...ofStatus }),
  // Answer of a local author to a remote request. `statusId` is the quoting status, null where it was refused.
  z.object({
    kind: z.literal('quote.answered'),
    accountId: id,
    statusId: id.nullable(),
    requesterId: id,
    requestUri: z.string(),
    quotedStatusId: id,
    quotingUri: z.string(),
  }),
  // Consent of a local author to the quote in this status, revoked.
  z.object({ kind: z.literal('quote.revoked'), ...ofStatus, quotingAccountId: id }),
  z.object({ kind: z.literal('reblog.created'), ...ofStatus }),
  z.object({
    kind: z.literal('reblog.removed'),
    ...ofStatus,
    reblogOfId: id,
    visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  }),
  // Subscription to a relay by the instance actor. Still current only while the relay awaits this Follow.
  z.object({ kind: z.literal('relay.requested'), relayId: id, followId: id }),
  z.object({ kind: z.literal('relay.left'), inboxUrl: z.string(), followId: id }),
  // Recipient: the server of the reported account, or of an account its statuses reply to.
  z.object({ kind: z.literal('report.forwarded'), reportId: id, domain: z.string() }),
  z.object({ kind: z.literal('status.created'), ...ofStatus }),
  // Edited, or the tally of its poll changed.
  z.object({ kind: z.literal('status.updated'), ...ofStatus }),
  StatusDeletion,
  // Shown on the profile of the account.
  z.object({ kind: z.literal('tag.featured'), accountId: id, featuredId: id }),
  z.object({ kind: z.literal('tag.unfeatured'), accountId: id, tag: z.string(), name: z.string() }),
])
export type FederatedEvent = z.infer<typeof FederatedEvent>

/**
 * A fact: an event that happened. Carries ids only; consumers reload and tolerate absence. Effects: jobs/effects.ts.
 */
export const DomainEvent = z.discriminatedUnion('kind', [
  FederatedEvent,
  // Local account, confirmed and approved or not.
  z.object({ kind: z.literal('account.created'), accountId: id }),
  // Remote account deleted by its server: its statuses and interactions are purged.
  z.object({ kind: z.literal('account.left'), accountId: id }),
  z.object({ kind: z.literal('account.unlocked'), accountId: id }),
  // Domain block or rejection of media: files of the domain are deleted.
  z.object({ kind: z.literal('domain.limited'), domain: z.string() }),
  // Statuses with the hashtag enter the home timeline; `followId` is the row of the follow.
  z.object({ kind: z.literal('follow.changed'), ...tie }),
  z.object({ kind: z.literal('tag.followed'), accountId: id, followId: id }),
  z.object({ kind: z.literal('tag.unfollowed'), accountId: id, tagId: id }),
  // Snoozed or no longer, or fewer of its statuses are wanted in the home timeline.
  z.object({ kind: z.literal('tag.changed'), accountId: id, tagId: id }),
  // Members, or whether the list keeps them out of the home timeline; `joinedIds` are new members.
  z.object({
    kind: z.literal('list.changed'),
    accountId: id,
    listId: id,
    joinedIds: z.array(id),
    concernsHome: z.boolean(),
  }),
  // Local account confirmed and approved for the first time.
  z.object({ kind: z.literal('member.joined'), accountId: id }),
  // By a local or remote account.
  z.object({ kind: z.literal('report.created'), reportId: id }),
  // By its reporter again, or by a moderator.
  z.object({ kind: z.literal('report.updated'), reportId: id }),
])
export type DomainEvent = z.infer<typeof DomainEvent>
