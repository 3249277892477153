import * as z from 'zod'
import { id } from './fields'

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

/** A fact: something that happened. Carries ids only; consumers reload and tolerate absence. Effects: jobs/effects.ts. */
export const DomainEvent = z.discriminatedUnion('kind', [
  FederatedEvent,
  // An account of another server was deleted there: its statuses and interactions are purged.
  z.object({ kind: z.literal('account.left'), accountId: id }),
  z.object({ kind: z.literal('account.unlocked'), accountId: id }),
  // A domain block or a rejection of media: files of the domain are deleted.
  z.object({ kind: z.literal('domain.limited'), domain: z.string() }),
  // Statuses with the hashtag enter the home timeline; `followId` is the row of the follow.
  z.object({ kind: z.literal('tag.followed'), accountId: id, followId: id }),
  z.object({ kind: z.literal('tag.unfollowed'), accountId: id, tagId: id }),
  // Members, or whether the list keeps them out of the home timeline; `joinedIds` are new members.
  z.object({
    kind: z.literal('list.changed'),
    accountId: id,
    listId: id,
    joinedIds: z.array(id),
    concernsHome: z.boolean(),
  }),
  // An account of this server was confirmed and approved for the first time.
  z.object({ kind: z.literal('member.joined'), accountId: id }),
])
export type DomainEvent = z.infer<typeof DomainEvent>
