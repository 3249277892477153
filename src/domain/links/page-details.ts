import { type Handle, parseHandle } from '../../contract/handle'
import { knownLanguage } from '../../lib/language'
import { articlesIn } from '../../lib/page/article'
import type { PageHead } from '../../lib/page/head'
import { type Player, pixels } from '../../lib/page/player'
import { plainLine, secureAddress, webAddress } from '../../lib/page/sanitise'

/** Validated metadata of a page: plain lines, and addresses that are safe to follow or null or empty. */
export interface PageDetails {
  /** Canonical URL, on its own host. */
  readonly canonicalUrl: string
  readonly title: string
  readonly description: string
  readonly siteName: string
  readonly authorName: string
  readonly authorUrl: string
  readonly imageUrl: string | null
  readonly imageDescription: string
  readonly language: string | null
  readonly publishedAt: Date | null
  /** Fediverse handle of its author (`fediverse:creator`). */
  readonly creator: Handle | null
  readonly oembed: PageHead['oembed']
  readonly player: Player | null
}

export interface PagePlace {
  /** URL of the page, after redirects. */
  readonly url: string
  readonly ownDomains: readonly string[]
}

/**
 * Extracts details from what was read of a page: JSON-LD of the types that Mastodon reads first, as there, then OpenGraph,
 * Twitter cards, other JSON-LD, and plain HTML. Pictures are those of OpenGraph first. Pure.
 */
export function detailsOf(head: PageHead, { url, ownDomains }: PagePlace): PageDetails {
  const of = (...names: readonly string[]) =>
    names.map((name) => head.meta.get(name)).find((text) => text !== undefined)
  const { lead, rest } = articlesIn(head.data)
  const line = (most: number, ...texts: readonly (string | undefined)[]) =>
    texts.map((text) => plainLine(text ?? '', most)).find((text) => text !== '') ?? ''
  const articleAuthor = of('article:author') ?? ''
  const author = [lead, rest].find(({ authorName }) => authorName !== '')
  const isAddress = /^https?:\/\//i.test(articleAuthor)
  const image = of('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src')
  const oembedUrl = secureAddress(head.oembed?.url ?? '', url)
  return {
    canonicalUrl: canonicalOf(head, url),
    title: line(500, lead.headline, of('og:title', 'twitter:title'), rest.headline, head.title),
    description: line(
      1_000,
      lead.description,
      of('og:description', 'twitter:description'),
      rest.description,
      of('description'),
    ),
    siteName: line(200, lead.publisher, of('og:site_name'), rest.publisher),
    authorName: line(200, author?.authorName, of('author'), isAddress ? '' : articleAuthor),
    authorUrl:
      firstOf([author?.authorUrl ?? '', isAddress ? articleAuthor : ''], (text) => webAddress(text, url)) ??
      '',
    imageUrl: firstOf([image ?? '', lead.image, rest.image], (text) => secureAddress(text, url)),
    imageDescription: line(1_500, of('og:image:alt', 'twitter:image:alt')),
    language: firstOf([lead.language, rest.language, of('og:locale') ?? '', head.language], (text) =>
      knownLanguage(text.slice(0, 40)),
    ),
    publishedAt: instantIn(lead.publishedAt || rest.publishedAt || (of('article:published_time') ?? '')),
    creator: creatorIn(of('fediverse:creator') ?? '', ownDomains),
    oembed: head.oembed === null || oembedUrl === null ? null : { ...head.oembed, url: oembedUrl },
    player: playerOf(of, url),
  }
}

function firstOf(texts: readonly string[], read: (text: string) => string | null): string | null {
  return texts.map(read).find((value) => value !== null) ?? null
}

/**
 * Canonical URL, limited to the page's own host: otherwise a page could pass for another, and overwrite its
 * card.
 */
function canonicalOf({ canonical, meta }: PageHead, url: string): string {
  for (const named of [canonical, meta.get('og:url') ?? '']) {
    const address = URL.parse(webAddress(named, url) ?? '')
    if (address === null || address.host !== URL.parse(url)?.host) continue
    address.hash = ''
    return address.href
  }
  return url
}

function creatorIn(text: string, ownDomains: readonly string[]): Handle | null {
  const handle = /^@?[^@\s]+@[^@\s]+$/.test(text.trim()) ? parseHandle(text, ownDomains) : null
  return handle
}

function playerOf(of: (name: string) => string | undefined, url: string): Player | null {
  const named = of('twitter:player') ?? ''
  const src = /^http:/i.test(named.trim()) ? null : secureAddress(named, url)
  if (src === null) return null
  return { src, width: pixels(of('twitter:player:width')), height: pixels(of('twitter:player:height')) }
}

/** Parses a publication date within plausible years; null otherwise. */
function instantIn(text: string): Date | null {
  const at = text.length > 64 || !/^\d{4}-\d\d/.test(text.trim()) ? Number.NaN : Date.parse(text.trim())
  return Number.isNaN(at) || at < 0 ? null : new Date(at)
}
