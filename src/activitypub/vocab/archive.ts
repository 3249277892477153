import { namedLimits } from '../../contract/limits'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { quoteReference } from '../../contract/text/render'
import { htmlToText } from '../../lib/html'
import type {
  ArchivedFile,
  ArchivedItem,
  ArchivedProfile,
  ArchivedStatus,
  ArchiveSource,
} from '../../ports/archives'
import { type Audience, readAudience, visibilityOf } from './activity'
import { profileOf } from './actor'
import type { attachmentsOf } from './attachments'
import {
  firstOf,
  hasType,
  idOf,
  instantOf,
  isObject,
  isPlainDocument,
  isUnreadable,
  type JsonObject,
  liesAhead,
  listOf,
} from './json'
import { quoteOf } from './quotes'
import { isStatusDocument, readStatus } from './status'
import { hashtagNameOf, tagsOf } from './tags'

/**
 * Reads an entry of an outbox, as Mastodon, Pleroma and this server write it into archives: a Create with its object, an
 * Announce, or the object alone.
 */
export function readArchivedItem(item: unknown, source: ArchiveSource, now: Date): ArchivedItem {
  if (!isPlainDocument(item)) return unreadable(null, 'no activity')
  const uri = idOf(item['id'])
  if (hasType(item, 'Announce')) return readReblog(item, source, now)
  const object = hasType(item, 'Create') ? firstOf(item['object']) : item
  if (!isStatusDocument(object)) return unreadable(uri, 'no post')
  const audience = hasType(item, 'Create') ? readAudience(item) : undefined
  return readPost(object, { source, now, ...(audience === undefined ? {} : { audience }) })
}

interface Reading {
  readonly source: ArchiveSource
  readonly now: Date
  readonly audience?: Audience
}

function readPost(object: JsonObject, { source, now, audience }: Reading): ArchivedItem {
  const uri = idOf(object['id'])
  if (instantOf(object['published']) === null) return unreadable(uri, 'no date')
  const files = filesIn(object)
  const status = readStatus(
    { ...withoutQuote(object), attachment: files.map(({ placed }) => placed) },
    {
      authorFollowers: source.followersUri,
      actor: source.actorUri,
      now,
      ...(audience === undefined ? {} : { audience }),
    },
  )
  if (isUnreadable(status)) return unreadable(uri, status.unreadable)
  if (status.author !== source.actorUri) return unreadable(uri, 'a post of another account')
  const { visibility, spoilerText, sensitive, language, inReplyTo, publishedAt, editedAt, poll } = status
  const silent = new Set(status.silent)
  const archived: ArchivedStatus = {
    uri: status.uri,
    visibility,
    localOnly: object['localOnly'] === true,
    content: withQuoteLink(status.content, object),
    spoilerText,
    sensitive,
    language,
    inReplyTo,
    publishedAt,
    editedAt,
    mentioned: status.mentioned.filter((actor) => !silent.has(actor)).slice(0, namedLimits.mentions),
    tags: status.tags,
    tagLinks: tagLinksIn(object),
    emojis: status.emojis.flatMap(({ shortcode, image }) =>
      'remote' in image ? [{ shortcode, image: { remote: image.remote } }] : [],
    ),
    files: describedFiles(files, status.attachments),
    poll:
      poll === null
        ? null
        : {
            options: poll.options,
            multiple: poll.multiple,
            expiresAt: poll.closedAt ?? poll.expiresAt,
          },
  }
  return { kind: 'status', status: archived }
}

function readReblog(item: JsonObject, source: ArchiveSource, now: Date): ArchivedItem {
  const uri = idOf(item['id'])
  const originalUri = idOf(firstOf(item['object']))
  const publishedAt = instantOf(item['published'])
  if (uri === null || originalUri === null) return unreadable(uri, 'a share of nothing')
  if (publishedAt === null || liesAhead(item['published'], now)) return unreadable(uri, 'no date')
  if (idOf(item['actor']) !== source.actorUri) return unreadable(uri, 'a share by another account')
  const visibility = visibilityOf(readAudience(item), source.followersUri)
  return {
    kind: 'reblog',
    uri,
    originalUri,
    publishedAt: publishedAt > now ? now : publishedAt,
    visibility,
  }
}

function unreadable(uri: string | null, reason: string): ArchivedItem {
  return { kind: 'unreadable', uri, reason }
}

const quoteProperties: ReadonlySet<string> = new Set([
  'quote',
  'quoteUri',
  'quoteUrl',
  '_misskey_quote',
  'quoteAuthorization',
])

/** Without the quote, of which only the link stays: consent was given to the post on its old server. */
function withoutQuote(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !quoteProperties.has(name)))
}

function withQuoteLink(content: string, object: JsonObject): string {
  const quoted = quoteOf(object, tagsOf(object))?.uri ?? ''
  const isLinked = quoted === '' || content.includes('quote-inline') || content.includes(quoted)
  return isLinked ? content : quoteReference(quoted) + content
}

/** Addresses that stand for paths inside the archive while attachments are read: these take addresses only. */
const placeholder = 'https://archive.invalid/'
const mostFiles = 16

interface PlacedFile {
  readonly url: string
  readonly placed: JsonObject
}

function filesIn(object: JsonObject): readonly PlacedFile[] {
  return listOf(object['attachment'], mostFiles).flatMap((attachment, index) => {
    if (!isObject(attachment)) return []
    const url = firstOf(attachment['url'])
    const path = isObject(url) ? url['href'] : url
    if (typeof path !== 'string' || path === '' || path.length > 2_048) return []
    return [{ url: path, placed: { ...attachment, url: `${placeholder}${index}` } }]
  })
}

function describedFiles(
  files: readonly PlacedFile[],
  read: ReturnType<typeof attachmentsOf>,
): readonly ArchivedFile[] {
  return files.flatMap(({ url, placed }) => {
    const found = read.find((attachment) => attachment.url === placed['url'])
    if (found === undefined) return []
    return [{ url, description: found.description, focus: found.meta.focus ?? null }]
  })
}

function tagLinksIn(object: JsonObject): ArchivedStatus['tagLinks'] {
  return tagsOf(object).flatMap((tag) => {
    const href = tag['href']
    const name = hasType(tag, 'Hashtag') ? hashtagNameOf(tag) : null
    return name === null || typeof href !== 'string' || href.length > 2_048
      ? []
      : [{ href, name: normaliseHashtag(name) }]
  })
}

/** Reads `actor.json` of an archive: texts of its profile as an editor shows them; null for an invalid actor. */
export function readArchivedProfile(document: unknown): ArchivedProfile | null {
  if (!isPlainDocument(document)) return null
  const uri = idOf(document['id'])
  if (uri === null) return null
  const { displayName, noteHtml, fields } = profileOf(document, uri)
  return {
    actorUri: uri,
    displayName,
    note: textOf(noteHtml),
    fields: fields.map(({ name, html }) => ({ name, value: textOf(html) })),
  }
}

/** Link of a mention whose text leaves out the host: here it would name a local account. */
const shortMention =
  /<a [^>]*href="https?:\/\/([^/"]+)\/[^"]*"[^>]*>\s*@(?:<span[^>]*>)?([\w.-]+)(?:<\/span>)?\s*<\/a>/g

function textOf(html: string): string {
  return htmlToText(html.replace(shortMention, '@$2@$1'))
}
