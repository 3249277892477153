import { element, type Xml, xmlDocument } from '../../lib/xml'
import type { Feed, FeedEntry, FeedMedia } from './feed'

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
