import type { RemoteAttachment, RemoteStatus } from '../../domain/statuses/remote/remote-status'
import { sameOrigin } from '../../lib/web-address'
import { attachmentOf, attachmentsOf, coverOf, hasSensitiveMedia } from './attachments'
import { type Audience, isAddressed, narrower, PUBLIC, readAudience, visibilityOf } from './audience'
import { type ContentForm, contentOf } from './content'
import { liesAhead, pastInstantOf } from './dates'
import {
  firstOf,
  hasType,
  idOf,
  isObject,
  isPlainDocument,
  isTrue,
  type JsonObject,
  objectsOf,
  type Reference,
  referenceOf,
  totalOf,
  typeAmong,
} from './json'
import { ownPageOf } from './links'
import { policiesOf } from './policies'
import { pollOf, readVote } from './poll'
import { quoteOf } from './quotes'
import { collectionsIn, emojisIn, hashtagsIn, mentionsIn, tagsOf } from './tags'
import { type Unreadable, unreadable } from './unreadable'

const statusTypes = [
  'Note',
  'Question',
  'Article',
  'Page',
  'Image',
  'Video',
  'Audio',
  'Event',
  // What Lemmy and Pleroma send from one person to another.
  'ChatMessage',
] as const
type StatusType = (typeof statusTypes)[number]

const forms: Readonly<Record<StatusType, ContentForm>> = {
  Note: 'note',
  Question: 'note',
  Article: 'article',
  Page: 'titled',
  Image: 'titled',
  Video: 'titled',
  Audio: 'titled',
  Event: 'titled',
  ChatMessage: 'note',
}

const MAX_ATTRIBUTIONS = 20
const MAX_MENTIONED = 100

export interface ReadStatusOptions {
  /** The followers collection of the author: what is for it is private. Null while the author is unknown. */
  readonly authorFollowers: string | null
  /**
   * Whom the activity around the status is for. Where the two disagree the narrower visibility holds, and where the
   * status names nobody it is for those.
   */
  readonly audience?: Audience
  /** Whose activity it is in: its author, where the status names none. Of a fetched one nobody can tell. */
  readonly actor?: string
  readonly now: Date
}

/** Whether a document claims to be something that can be read as a status. */
export function isStatusDocument(document: unknown): document is JsonObject {
  return isPlainDocument(document) && typeAmong(document, statusTypes) !== null
}

/**
 * Reads a post. What is not a post of its own (a vote), names an author on another server or was published more than
 * twelve hours ahead is unreadable; everything optional that is broken counts as not there.
 */
export function readStatus(document: unknown, reading: ReadStatusOptions): RemoteStatus | Unreadable {
  if (!isPlainDocument(document)) return unreadable('not a plain document')
  const type = typeAmong(document, statusTypes)
  if (type === null) return unreadable('not a status')
  const uri = idOf(document['id'])
  if (uri === null) return unreadable('a status without an id')
  const author = authorOf(document) ?? reading.actor ?? null
  if (author === null) return unreadable('a status without an author')
  if (!sameOrigin(author, uri)) return unreadable('a status on another server than its author')
  if (liesAhead(document['published'], reading.now)) return unreadable('published in the future')
  if (readVote(document) !== null) return unreadable('a vote')
  const url = ownPageOf(document['url'], uri)
  const tags = tagsOf(document)
  const quote = quoteOf(document, tags)
  return {
    ...{ uri, url, author, quote, inReplyTo: idOf(document['inReplyTo']) },
    ...contentFor(document, { form: forms[type], link: url ?? uri, withoutQuote: quote?.legacy === false }),
    ...datesOf(document, reading.now),
    ...readAddressees(document, { author, tags, reading, isChat: type === 'ChatMessage' }),
    ...{ tags: hashtagsIn(tags), emojis: emojisIn(tags), attachments: mediaOf(document, type) },
    collections: collectionsIn(tags),
    poll: type === 'Question' ? pollOf(document, reading.now) : null,
    repliesUri: repliesOf(document, uri),
    favouritesCount: totalOf(document['likes']),
    reblogsCount: totalOf(document['shares']),
    ...policiesOf(document, reading.authorFollowers),
  }
}

/** The author is a person where several are named: PeerTube names the channel too. */
function authorOf(object: JsonObject): string | null {
  const named = object['attributedTo'] ?? object['actor']
  const person = objectsOf(named, MAX_ATTRIBUTIONS).find((actor) => hasType(actor, 'Person'))
  return idOf(person) ?? idOf(named)
}

function contentFor(object: JsonObject, options: Parameters<typeof contentOf>[1]) {
  const { html, spoilerText, language } = contentOf(object, options)
  const isHidden = object['sensitive'] === undefined ? spoilerText !== '' : isTrue(object['sensitive'])
  const sensitive = isHidden || hasSensitiveMedia(object)
  return { content: html, spoilerText, sensitive, language }
}

/** Only a date behind the publication marks an edit: many send both, equal. */
function datesOf(object: JsonObject, now: Date): { publishedAt: Date; editedAt: Date | null } {
  const publishedAt = pastInstantOf(object['published'], now) ?? now
  const updatedAt = pastInstantOf(object['updated'], now)
  return { publishedAt, editedAt: updatedAt !== null && updatedAt > publishedAt ? updatedAt : null }
}

interface AudienceOptions {
  readonly author: string
  readonly tags: readonly JsonObject[]
  readonly reading: ReadStatusOptions
  /** It is for single people, whatever it says, and they are told. */
  readonly isChat: boolean
}

function readAddressees(object: JsonObject, { author, tags, reading, isChat }: AudienceOptions) {
  const { authorFollowers, audience: around } = reading
  const own = readAudience(object)
  const audience = around === undefined || isAddressed(own) ? own : around
  const seen = visibilityOf(audience, authorFollowers)
  const agreed = around !== undefined && isAddressed(around) ? visibilityOf(around, authorFollowers) : seen
  const visibility = isChat ? 'direct' : narrower(seen, agreed)
  const addressed = [...audience.to, ...audience.cc].filter(
    (uri) => uri !== PUBLIC && uri !== author && uri !== authorFollowers && !/\/follow(?:ers|ing)$/.test(uri),
  )
  const named = mentionsIn(tags).filter((uri) => uri !== author)
  // A message to one person and nobody else tells them, though no Mention does (Lemmy).
  const isMessage = visibility === 'direct' && named.length === 0 && addressed.length === 1
  const told = isChat || (isMessage && audience.cc.length === 0) ? [...named, ...addressed] : named
  const mentioned = [...new Set([...told, ...addressed])].slice(0, MAX_MENTIONED)
  return {
    visibility,
    mentioned,
    silent: mentioned.filter((uri) => !told.includes(uri)),
  }
}

/**
 * Attachments, else the file a picture, film or sound is itself (its name is the title and describes nothing), or the
 * picture a longer text is told by.
 */
function mediaOf(object: JsonObject, type: StatusType): readonly RemoteAttachment[] {
  const attachments = attachmentsOf(object)
  if (attachments.length > 0 || forms[type] === 'note') return attachments
  const isMedia = type === 'Image' || type === 'Video' || type === 'Audio'
  const only = isMedia ? attachmentOf({ ...object, name: null, nameMap: null }) : coverOf(object)
  return only === null ? [] : [only]
}

/** The collection of answers as a post names it or carries it along; null for what is no post. */
export function repliesIn(document: unknown): Reference | null {
  return isStatusDocument(document) ? referenceOf(document['replies']) : null
}

function repliesOf(object: JsonObject, uri: string): string | null {
  const replies = firstOf(object['replies'])
  const first = isObject(replies) ? firstOf(replies['first']) : null
  const address = idOf(replies) ?? idOf(first) ?? (isObject(first) ? idOf(first['next']) : null)
  return address !== null && sameOrigin(address, uri) ? address : null
}
