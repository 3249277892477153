import type { Config } from '../../config'
import {
  actorAddresses,
  actorUri,
  collectionUri,
  conversationUri,
  emojiUri,
  statusCollections,
  statusUrl,
  taggedUrl,
  tagUrl,
} from '../../contract/addresses'
import { quoteReference } from '../../contract/text/render'
import type { InteractionPolicy } from '../../db/schema/statuses'
import type { Approval, Attachment, EmojiSnapshot, FileRef, Mention, StatusTag } from '../../db/values'
import { mimeOfName } from '../../lib/media/mime'
import type { CollectionFacts } from '../../view/load/collections'
import type { NoteFacts, QuotedFacts } from '../../view/load/notes'
import type { PollFacts } from '../../view/load/statuses'
import { fileUrl } from '../../view/urls'
import { countOf, firstReplies } from './collections'
import { instant, type JsonLdObject, publicCollection } from './document'

/** Serialises a status as a Note, or as a Question when it has a poll. Not for reblogs: those are activities. */
export function serialiseNote(config: Config, now: Date, facts: NoteFacts): JsonLdObject {
  const { status, author, uri, actor, inReplyTo, context, poll } = facts
  const collections = statusCollections(uri)
  const content = `${quoteFallback(facts)}${status.content}`
  return {
    id: uri,
    type: poll === null ? 'Note' : 'Question',
    attributedTo: actor,
    url: statusUrl(config.origin, author.username, status.id),
    ...addressingOf(config, facts),
    published: instant(status.createdAt),
    ...(status.editedAt === null ? {} : { updated: instant(status.editedAt) }),
    summary: status.spoilerText === '' ? null : status.spoilerText,
    sensitive: status.sensitive || author.sensitizedAt !== null,
    content,
    ...(status.language === null ? {} : { contentMap: { [status.language]: content } }),
    inReplyTo,
    atomUri: uri,
    inReplyToAtomUri: inReplyTo,
    conversation: conversationUri(config.origin, status.conversationId),
    context,
    attachment: status.attachments.map((attachment) => serialiseAttachment(config, attachment)),
    tag: tagsOf(config, facts),
    ...(poll === null ? {} : question(poll, now)),
    ...quoteOf(facts.quote),
    ...approvalProperties(status.approval, 'replyAuthorization'),
    interactionPolicy: interactionPolicy(config, facts),
    replies: firstReplies(collections.replies, facts.ownReplies),
    likes: countOf(collections.likes, status.favouritesCount),
    shares: countOf(collections.shares, status.reblogsCount),
  }
}

function tagsOf(config: Config, { status, quote, collections }: NoteFacts): readonly JsonLdObject[] {
  return [
    ...status.mentions.map((mention) => mentionTag(config, mention)),
    ...status.tags.map((tag) => hashtagTag(config, tag)),
    ...status.emojis.map((emoji) => emojiTag(config, emoji)),
    ...collections.map((collection) => collectionTag(config, collection)),
    ...(isAccepted(quote) ? [quoteLink(quote)] : []),
  ]
}

function isAccepted(quote: QuotedFacts | null): quote is QuotedFacts {
  return quote?.state === 'accepted'
}

/**
 * Quote properties of a status. Readers of `quote` verify the consent themselves; readers of the older names do not,
 * so those are set only once it was given. A refused quote is omitted.
 */
function quoteOf(quote: QuotedFacts | null): JsonLdObject {
  if (quote === null || quote.state === 'rejected' || quote.state === 'revoked') return {}
  if (quote.state === 'pending') return { quote: quote.uri }
  return {
    quote: quote.uri,
    quoteUri: quote.uri,
    _misskey_quote: quote.uri,
    ...(quote.authorization === null ? {} : { quoteAuthorization: quote.authorization }),
  }
}

/** Builds the quote as a Link tag (FEP-e232). */
function quoteLink({ uri }: QuotedFacts): JsonLdObject {
  return {
    type: 'Link',
    mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    href: uri,
    rel: ['https://misskey-hub.net/ns#_misskey_quote'],
    name: `RE: ${uri}`,
  }
}

/** Link for readers without quote support; others hide elements of this class. */
function quoteFallback({ quote, status }: NoteFacts): string {
  if (!isAccepted(quote) || status.content.includes('class="quote-inline"')) return ''
  return quoteReference(quote.url ?? quote.uri)
}

function question(poll: PollFacts, now: Date): JsonLdObject {
  const { multiple, options, tallies, expiresAt, votersCount } = poll
  const isOver = expiresAt !== null && expiresAt <= now
  const isHidden = poll.hideTotals && !isOver
  const choices = options.map((name, index) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: isHidden ? 0 : (tallies[index] ?? 0) },
  }))
  return {
    [multiple ? 'anyOf' : 'oneOf']: choices,
    ...(expiresAt === null ? {} : { endTime: instant(expiresAt) }),
    ...(isOver ? { closed: instant(expiresAt) } : {}),
    votersCount: votersCount ?? poll.votesCount,
  }
}

export interface Addressing {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

/**
 * Addressees of a status. Other servers derive its visibility from this alone: the public collection in `to` is
 * public, in `cc` unlisted, followers without it private, and only accounts direct.
 */
export function addressingOf(config: Config, { status, actor, shared }: NoteFacts): Addressing {
  const { followers } = actorAddresses(actor)
  const people = status.mentions.map((mention) => mentionedUri(config, mention))
  const named = shared === null ? people : [shared.authorUri]
  switch (status.visibility) {
    case 'public':
      return { to: [publicCollection], cc: [followers, ...named] }
    case 'unlisted':
      return { to: [followers], cc: [publicCollection, ...named] }
    case 'private':
      return { to: [followers], cc: named }
    case 'direct':
      return { to: named, cc: [] }
  }
}

/** Accounts that may quote, reply to and reblog a status without asking. */
function interactionPolicy(config: Config, facts: NoteFacts): JsonLdObject {
  const { status, actor } = facts
  const { followers } = actorAddresses(actor)
  const people = status.mentions.map((mention) => mentionedUri(config, mention))
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const allowed: Readonly<Record<InteractionPolicy | 'nobody', readonly string[]>> = {
    public: [publicCollection],
    followers: [followers, ...people],
    mentioned: [actor, ...people],
    nobody: [actor],
  }
  return {
    canQuote: automatic(isOpen ? quoters(facts, followers) : [actor]),
    canReply: automatic(allowed[status.replyPolicy]),
    canAnnounce: automatic(isOpen ? allowed[status.reblogPolicy] : [actor]),
    canLike: automatic([publicCollection]),
  }
}

/** An empty list would read as unset: the author's own id means no other account. */
function quoters({ status, actor }: NoteFacts, followers: string): readonly string[] {
  const allowed = { public: [publicCollection], followers: [followers], nobody: [actor] }
  return allowed[status.quotePolicy]
}

function automatic(automaticApproval: readonly string[]): JsonLdObject {
  return { automaticApproval, manualApproval: [] }
}

/**
 * Serialises a picture, video or sound in the form every server reads: a Document with its alternative text as name.
 */
function serialiseAttachment(config: Config, attachment: Attachment): JsonLdObject {
  const { file, preview, description, blurhash, meta } = attachment
  const { width, height } = meta.original ?? {}
  const mediaType = mimeOfName('key' in file ? file.key : file.remote)
  const hasCover = preview !== null && attachment.type !== 'image'
  return {
    type: 'Document',
    mediaType: mediaType ?? 'application/octet-stream',
    url: fileUrl(config, file, null),
    name: description,
    ...(blurhash === null ? {} : { blurhash }),
    ...(meta.focus === undefined ? {} : { focalPoint: [meta.focus.x, meta.focus.y] }),
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(hasCover ? { icon: imageOf(config, preview) } : {}),
  }
}

/** Builds a Mention of an account by actor id: a page address would not be recognised as an account. */
function mentionTag(config: Config, mention: Mention): JsonLdObject {
  const host = mention.domain ?? config.domain
  return { type: 'Mention', href: mentionedUri(config, mention), name: `@${mention.username}@${host}` }
}

/** Actor id of a mentioned account. */
function mentionedUri({ origin }: Config, { domain, uri, url, username }: Mention): string {
  return domain === null ? actorUri(origin, username) : (uri ?? url)
}

function hashtagTag({ origin }: Config, { name, display }: StatusTag): JsonLdObject {
  return { type: 'Hashtag', href: tagUrl(origin, name), name: `#${display}` }
}

/** Builds a featured hashtag of a local account, linking to its statuses with that tag. */
export function featuredTag(
  { origin }: Config,
  username: string,
  { tag, name }: { readonly tag: string; readonly name: string },
): JsonLdObject {
  return { type: 'Hashtag', href: taggedUrl(origin, username, tag), name: `#${name}` }
}

/** Builds a tag for a collection of accounts linked in the text. */
function collectionTag({ origin }: Config, { id, ownerName, uri, name }: CollectionFacts): JsonLdObject {
  return {
    type: 'FeaturedCollection',
    id: uri ?? collectionUri(actorUri(origin, ownerName), id),
    name,
  }
}

/** Builds an Emoji tag. Texts keep the emojis they use, remote ones included. */
export function emojiTag(config: Config, { shortcode, image }: EmojiSnapshot): JsonLdObject {
  return {
    id: emojiUri(config.origin, shortcode),
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: imageOf(config, image),
  }
}

/** Builds the Emoji tag of a reaction: a remote custom emoji keeps its own server's id. */
export function reactionTag(config: Config, emoji: EmojiSnapshot): JsonLdObject {
  const { shortcode, image, uri } = emoji
  if ('key' in image) return emojiTag(config, emoji)
  const icon = { type: 'Image', url: image.remote }
  return { ...(uri === undefined ? {} : { id: uri }), type: 'Emoji', name: `:${shortcode}:`, icon }
}

/** Builds an Image with its alternative text, if any. */
export function imageOf(config: Config, file: FileRef, description = ''): JsonLdObject {
  const mediaType = mimeOfName('key' in file ? file.key : file.remote)
  return {
    type: 'Image',
    ...(mediaType === null ? {} : { mediaType }),
    url: fileUrl(config, file, null),
    ...(description === '' ? {} : { name: description }),
  }
}

/**
 * Proof of consent on a reply, an Announce or a Like. `approvedBy` is the name of all three in GoToSocial before 0.20, which
 * also reads the id of an Accept there.
 */
export function approvalProperties(
  approval: Approval | null,
  name: 'replyAuthorization' | 'announceAuthorization' | 'likeAuthorization',
): JsonLdObject {
  if (approval?.state !== 'accepted') return {}
  const { uri, accept } = approval
  if (uri !== null) return { approvedBy: uri, [name]: uri }
  return accept === undefined ? {} : { approvedBy: accept }
}
