import type { RemoteAttachment, RemotePoll, RemoteStatus } from '../../domain/statuses/remote/remote-status'
import { sameOrigin } from '../../lib/web-address'
import { type Audience, isAddressed, narrower, PUBLIC, readAudience, visibilityOf } from './activity'
import { attachedPageOf, attachmentOf, attachmentsOf, coverOf, hasSensitiveMedia } from './attachments'
import { type ContentForm, contentOf } from './content'
import {
  countOf,
  firstOf,
  hasType,
  idOf,
  instantOf,
  isObject,
  isPlainDocument,
  isTrue,
  type JsonObject,
  liesAhead,
  objectsOf,
  pastInstantOf,
  type Reference,
  referenceOf,
  singleLineOf,
  stringOf,
  totalOf,
  typeAmong,
  type Unreadable,
  unreadable,
} from './json'
import { foreignPageOf, ownPageOf } from './links'
import { policiesOf, quoteOf } from './quotes'
import { collectionsIn, emojisIn, hashtagsIn, mentionsIn, tagsOf } from './tags'

const statusTypes = [
  'Note',
  'Question',
  'Article',
  'Page',
  'Image',
  'Video',
  'Audio',
  'Event',
  // Direct messages of Lemmy and Pleroma.
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
// Far above any genuine document. The accounts looked up are fewer, local ones first.
const MAX_MENTIONED = 1_000

export interface ReadStatusOptions {
  /** Followers collection of the author: addressing it means private. Null while the author is unknown. */
  readonly authorFollowers: string | null
  /**
   * Audience of the enclosing activity. Where the two disagree the narrower visibility holds, and a status without
   * addressees takes it over.
   */
  readonly audience?: Audience
  /** Actor of the enclosing activity, taken as author where the status names none. Absent for a fetched one. */
  readonly actor?: string
  readonly now: Date
}

/** Whether a document has a type that can be read as a status. */
export function isStatusDocument(document: unknown): document is JsonObject {
  return isPlainDocument(document) && typeAmong(document, statusTypes) !== null
}

/**
 * Parses a status. Votes, authors on another server and publication more than sixteen hours ahead are unreadable;
 * invalid optional properties count as absent.
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
  const attachedPage = pageLinkedBy(document, { type, uri })
  const tags = tagsOf(document)
  const quote = quoteOf(document, tags)
  const content = contentFor(document, {
    form: forms[type],
    link: url ?? uri,
    about: type === 'Page' ? attachedPage : null,
    withoutQuote: quote?.legacy === false,
  })
  return {
    uri,
    url,
    author,
    quote,
    inReplyTo: idOf(document['inReplyTo']),
    ...content,
    ...datesOf(document, reading.now),
    ...readAddressees(document, { author, tags, reading, isChat: type === 'ChatMessage' }),
    tags: hashtagsIn(tags, content.content),
    emojis: emojisIn(tags),
    attachments: mediaOf(document, type),
    attachedPage,
    collections: collectionsIn(tags),
    poll: type === 'Question' ? pollOf(document, reading.now) : null,
    repliesUri: repliesOf(document, uri),
    contextUri: idOf(document['context']),
    favouritesCount: totalOf(document['likes']),
    reblogsCount: totalOf(document['shares']),
    ...policiesOf(document, { uri: author, followers: reading.authorFollowers }),
  }
}

/** Author, preferring a Person where several are named: PeerTube names the channel too. */
function authorOf(object: JsonObject): string | null {
  const named = object['attributedTo'] ?? object['actor']
  const person = objectsOf(named, MAX_ATTRIBUTIONS).find((actor) => hasType(actor, 'Person'))
  return idOf(person) ?? idOf(named)
}

/** Page to preview: the attached one, or the address of a link post. Files are no pages. */
function pageLinkedBy(
  object: JsonObject,
  { type, uri }: { readonly type: StatusType; readonly uri: string },
): string | null {
  const attached = attachedPageOf(object)
  if (attached !== null || type !== 'Page') return attached
  const page = foreignPageOf(object['url'], uri)
  return page === null ? null : attachedPageOf({ attachment: { type: 'Link', href: page } })
}

function contentFor(object: JsonObject, options: Parameters<typeof contentOf>[1]) {
  const { html, spoilerText, language } = contentOf(object, options)
  const isHidden = object['sensitive'] === undefined ? spoilerText !== '' : isTrue(object['sensitive'])
  const sensitive = isHidden || hasSensitiveMedia(object)
  return { content: html, spoilerText, sensitive, language }
}

/**
 * Published and edited now where the dates lie ahead, as those of fast clocks and wrong time zones do. Edited only if
 * updated after publication: many servers send both dates, equal.
 */
function datesOf(object: JsonObject, now: Date): { publishedAt: Date; editedAt: Date | null } {
  const [published, updated] = [instantOf(object['published']), instantOf(object['updated'])]
  const isEdited = updated !== null && updated > (published ?? now)
  return {
    publishedAt: pastInstantOf(object['published'], now) ?? now,
    editedAt: isEdited ? pastInstantOf(object['updated'], now) : null,
  }
}

interface AudienceOptions {
  readonly author: string
  readonly tags: readonly JsonObject[]
  readonly reading: ReadStatusOptions
  /** Always direct, whatever its addressees, who count as mentioned. */
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
  // A message to a single account counts as mentioning it, even without a Mention (Lemmy).
  const isMessage = visibility === 'direct' && named.length === 0 && addressed.length === 1
  const explicit = isChat || (isMessage && audience.cc.length === 0) ? [...named, ...addressed] : named
  const mentioned = [...new Set([...explicit, ...addressed])].slice(0, MAX_MENTIONED)
  return {
    visibility,
    mentioned,
    silent: mentioned.filter((uri) => !explicit.includes(uri)),
  }
}

/**
 * Attachments, else the file that a picture, video or sound is itself (its name is the title, not a description), or
 * the cover picture of a longer text.
 */
function mediaOf(object: JsonObject, type: StatusType): readonly RemoteAttachment[] {
  const attachments = attachmentsOf(object)
  if (attachments.length > 0 || forms[type] === 'note') return attachments
  const isMedia = type === 'Image' || type === 'Video' || type === 'Audio'
  const only = isMedia ? attachmentOf({ ...object, name: null, nameMap: null }) : coverOf(object)
  return only === null ? [] : [only]
}

/** Replies collection as linked or inlined by a status; null for any other document. */
export function repliesIn(document: unknown): Reference | null {
  return isStatusDocument(document) ? referenceOf(document['replies']) : null
}

/** Thread that a status names (FEP-7888), on any host; null for any other document. */
export function contextIn(document: unknown): string | null {
  return isStatusDocument(document) ? idOf(document['context']) : null
}

function repliesOf(object: JsonObject, uri: string): string | null {
  const replies = firstOf(object['replies'])
  const first = isObject(replies) ? firstOf(replies['first']) : null
  const address = idOf(replies) ?? idOf(first) ?? (isObject(first) ? idOf(first['next']) : null)
  return address !== null && sameOrigin(address, uri) ? address : null
}

const MAX_OPTIONS = 20
const MAX_OPTION_CHARACTERS = 500

/** Parses the poll of a Question; null without options. */
function pollOf(question: JsonObject, now: Date): RemotePoll | null {
  const isMultiple = question['anyOf'] !== undefined && question['anyOf'] !== null
  const offered = objectsOf(isMultiple ? question['anyOf'] : question['oneOf'], MAX_OPTIONS)
  const options = new Map(
    offered.map((option) => [
      singleLineOf(option['name'], MAX_OPTION_CHARACTERS),
      totalOf(option['replies']) ?? 0,
    ]),
  )
  options.delete('')
  if (options.size === 0) return null
  return {
    options: [...options.keys()],
    tallies: [...options.values()],
    multiple: isMultiple,
    votersCount: countOf(question['votersCount']),
    expiresAt: instantOf(question['endTime']),
    closedAt: isTrue(question['closed']) ? now : pastInstantOf(question['closed'], now),
  }
}

/** A vote for one choice. Several choices are several votes. */
export interface RemoteVote {
  readonly id: string | null
  /** Null where the note names no author: then it is the signer. */
  readonly author: string | null
  /** Status with the poll. */
  readonly question: string
  /** Option text, verbatim. */
  readonly choice: string
}

/**
 * Parses a vote: a Note with a name and without content that replies to a status and is for one actor only.
 *
 * Any other document yields null and may be a status. The poll's owner checks that the option exists.
 */
export function readVote(document: unknown): RemoteVote | null {
  if (!isPlainDocument(document) || !hasType(document, 'Note')) return null
  const choice = singleLineOf(document['name'], MAX_OPTION_CHARACTERS)
  const question = idOf(document['inReplyTo'])
  const isEmpty = stringOf(document['content']) === null && objectsOf(document['attachment'], 1).length === 0
  if (choice === '' || question === null || !isEmpty || isObject(document['contentMap'])) return null
  const { to, cc } = readAudience(document)
  if (to.length + cc.length > 1 || to.includes(PUBLIC) || cc.includes(PUBLIC)) return null
  return { id: idOf(document['id']), author: idOf(document['attributedTo']), question, choice }
}
