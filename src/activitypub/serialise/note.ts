import type { Config } from '../../config'
import { conversationUri, statusCollections, statusUrl } from '../../lib/addresses'
import { quoteReference } from '../../lib/quote-reference'
import type { NoteFacts, QuotedFacts } from '../../view/load/notes'
import type { PollFacts } from '../../view/load/statuses'
import { approvalProperties } from './approval-proof'
import { serialiseAttachment } from './attachment'
import { addressingOf, interactionPolicy } from './audience'
import { countOf, firstReplies } from './collections'
import { instant, type JsonLdObject } from './document'
import { collectionTag, emojiTag, hashtagTag, mentionTag } from './tags'

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
