import { element, type Xml, xmlDocument } from '../../lib/xml'
import type { Feed, FeedAuthor, FeedEntry } from './feed'

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
