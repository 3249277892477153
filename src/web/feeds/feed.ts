import { element, type Xml, xmlDocument } from '../../lib/xml'

/** Posts as feed readers take them, before they are written as RSS or Atom. */
export interface Feed {
  readonly title: string
  readonly description: string
  /** The page that shows the same to people. */
  readonly url: string
  /** The address of the feed itself. */
  readonly selfUrl: string
  readonly imageUrl: string
  readonly updatedAt: Date
  /** Null where the posts are by many. */
  readonly author: FeedAuthor | null
  readonly generator: { readonly name: string; readonly version: string; readonly url: string }
  readonly entries: readonly FeedEntry[]
}

export interface FeedAuthor {
  readonly name: string
  /** `@name@host` */
  readonly handle: string
  readonly url: string
}

export interface FeedEntry {
  /** Never changes: what readers know an entry by. */
  readonly id: string
  readonly url: string
  /** Title in a single line; with a content warning it says no more than that. */
  readonly title: string
  /** Sanitised. */
  readonly html: string
  readonly language: string | null
  readonly author: FeedAuthor
  readonly publishedAt: Date
  readonly updatedAt: Date
  readonly tags: readonly string[]
  readonly media: readonly FeedMedia[]
  readonly isSensitive: boolean
}

export interface FeedMedia {
  readonly url: string
  readonly mime: string
  /** Size of the file; null where it is unknown. */
  readonly bytes: number | null
  readonly medium: 'image' | 'video' | 'audio' | 'document'
  readonly description: string
  readonly previewUrl: string | null
  readonly width: number | null
  readonly height: number | null
}

export type FeedFormat = 'rss' | 'atom'

/** A feed as Atom (RFC 4287). */
export function writeAtom(feed: Feed): string {
  const { title, description, url, selfUrl, imageUrl, updatedAt, author, generator, entries } = feed
  const root = element(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom' },
    element('id', {}, selfUrl),
    element('title', {}, title),
    element('subtitle', {}, description),
    element('updated', {}, updatedAt.toISOString()),
    // First, because simple readers take the first link they find.
    element('link', { rel: 'alternate', type: 'text/html', href: url }),
    element('link', { rel: 'self', type: 'application/atom+xml', href: selfUrl }),
    element('icon', {}, imageUrl),
    ...(author === null ? [] : [writeAuthor(author)]),
    element('generator', { uri: generator.url, version: generator.version }, generator.name),
    ...entries.map(writeEntry),
  )
  return xmlDocument(root)
}

function writeEntry(entry: FeedEntry): Xml {
  const { id, url, title, html, language, author, publishedAt, updatedAt, tags, media } = entry
  return element(
    'entry',
    {},
    element('id', {}, id),
    element('title', {}, title),
    element('published', {}, publishedAt.toISOString()),
    element('updated', {}, updatedAt.toISOString()),
    element('link', { rel: 'alternate', type: 'text/html', href: url }),
    writeAuthor(author),
    ...tags.map((tag) => element('category', { term: tag })),
    element('content', { type: 'html', 'xml:lang': language ?? undefined }, html),
    ...media.map(({ url: href, mime, bytes, description }) =>
      element('link', {
        rel: 'enclosure',
        type: mime,
        length: bytes?.toString(),
        href,
        title: description === '' ? undefined : description,
      }),
    ),
  )
}

function writeAuthor({ name, handle, url }: FeedAuthor): Xml {
  return element('author', {}, element('name', {}, `${name} (${handle})`), element('uri', {}, url))
}

const namespaces = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
  'xmlns:webfeeds': 'http://webfeeds.org/rss/1.0',
}

/** A feed as RSS 2.0, with Media RSS for what is attached. */
export function writeRss(feed: Feed): string {
  const { title, description, url, selfUrl, imageUrl, updatedAt, generator, entries } = feed
  const image = element(
    'image',
    {},
    element('url', {}, imageUrl),
    element('title', {}, title),
    element('link', {}, url),
  )
  const channel = element(
    'channel',
    {},
    element('title', {}, title),
    element('link', {}, url),
    element('description', {}, description),
    element('atom:link', { rel: 'self', type: 'application/rss+xml', href: selfUrl }),
    image,
    element('webfeeds:icon', {}, imageUrl),
    element('generator', {}, `${generator.name} ${generator.version}`),
    element('lastBuildDate', {}, updatedAt.toUTCString()),
    ...entries.map(writeItem),
  )
  return xmlDocument(element('rss', { version: '2.0', ...namespaces }, channel))
}

function writeItem({ url, title, html, author, publishedAt, tags, media, isSensitive }: FeedEntry): Xml {
  const [first] = media
  return element(
    'item',
    {},
    element('guid', { isPermaLink: 'true' }, url),
    element('link', {}, url),
    element('title', {}, title),
    element('dc:creator', {}, `${author.name} (${author.handle})`),
    element('pubDate', {}, publishedAt.toUTCString()),
    element('description', {}, html),
    ...tags.map((tag) => element('category', {}, tag)),
    ...(first === undefined ? [] : [writeEnclosure(first)]),
    ...media.map((one) => writeMedia(one, isSensitive)),
  )
}

/** RSS has one for each item, and a length is required: the advisory board recommends 0 for an unknown one. */
function writeEnclosure({ url, mime, bytes }: FeedMedia): Xml {
  return element('enclosure', { url, length: String(bytes ?? 0), type: mime })
}

function writeMedia(media: FeedMedia, isSensitive: boolean): Xml {
  const { url, mime, bytes, medium, description, previewUrl, width, height } = media
  const size = { width: width?.toString(), height: height?.toString() }
  return element(
    'media:content',
    { url, fileSize: bytes?.toString(), type: mime, medium, ...size },
    element('media:rating', { scheme: 'urn:simple' }, isSensitive ? 'adult' : 'nonadult'),
    ...(description === '' ? [] : [element('media:description', { type: 'plain' }, description)]),
    ...(previewUrl === null ? [] : [element('media:thumbnail', { url: previewUrl })]),
  )
}
