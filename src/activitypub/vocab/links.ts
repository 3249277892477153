import { registrableDomain } from '../../lib/registrable-domain'
import { hostOf, parseWebAddress } from '../../lib/web-address'
import { isObject, type JsonObject, listOf, numberWithin, stringOf } from './json'

const MAX_LINKS = 40
const MAX_DEPTH = 3

/** An address in a document, with what it states about the file. */
export interface Link {
  readonly url: string
  readonly mediaType: string | null
  readonly width: unknown
  readonly height: unknown
}

/**
 * Addresses of a property: a string, a Link (`href`), an object with a `url` of its own, or a list of these. PeerTube
 * puts the files of a video in the tags of the Link to its playlist: they come after it.
 */
export function linksOf(value: unknown): readonly Link[] {
  const found: Link[] = []
  collect(value, found, {})
  return found
}

/** Collects links; `around` is the enclosing object, whose properties apply to bare addresses. */
function collect(value: unknown, found: Link[], around: JsonObject, depth = 0): void {
  for (const item of listOf(value, MAX_LINKS)) {
    if (found.length >= MAX_LINKS || depth > MAX_DEPTH) return
    if (typeof item === 'string') add({ ...around, href: item }, found)
    else if (!isObject(item)) continue
    else if (typeof item['href'] === 'string') {
      add(item, found)
      collect(item['tag'], found, {}, depth + 1)
    } else collect(item['url'], found, item, depth + 1)
  }
}

function add(link: JsonObject, found: Link[]): void {
  const url = typeof link['href'] === 'string' ? parseWebAddress(link['href']) : null
  const { width, height } = link
  if (url !== null) found.push({ url, mediaType: mediaTypeOf(link), width, height })
}

/** Media type in lower case and without parameters. */
export function mediaTypeOf(object: JsonObject): string | null {
  const [type = ''] = (stringOf(object['mediaType']) ?? '').slice(0, 200).split(';', 1)
  return type === '' ? null : type.trim().toLowerCase()
}

/** First address of a property. */
export function linkOf(value: unknown): string | null {
  return typeof value === 'string' ? parseWebAddress(value) : (linksOf(value)[0]?.url ?? null)
}

/** Address of the widest of a picture's sizes. */
export function pictureLinkOf(value: unknown): string | null {
  const width = (link: Link) => numberWithin(link.width, 1, 100_000) ?? 0
  return (
    linksOf(value).reduce<Link | null>(
      (best, link) => (best === null || width(link) > width(best) ? link : best),
      null,
    )?.url ?? null
  )
}

/**
 * Page of the object `uri`; null for one on another host, which would impersonate another site's page. Pages may be at
 * `www.` of the registrable domain, as those of Threads are.
 */
export function ownPageOf(value: unknown, uri: string): string | null {
  const page = pageOf(value)
  return page !== null && isOwnHost(hostOf(page), hostOf(uri)) ? page : null
}

/** Page on another host that a Page names as its own: earlier Lemmy and Mbin so link what a post is about. */
export function foreignPageOf(value: unknown, uri: string): string | null {
  const page = pageOf(value)
  return page === null || isOwnHost(hostOf(page), hostOf(uri)) ? null : page
}

function isOwnHost(host: string | null, own: string | null): boolean {
  if (host === null || own === null) return false
  return host === own || host === `www.${registrableDomain(own)}`
}

/** Page address: that of an HTML link, else the first without a media type. */
function pageOf(value: unknown): string | null {
  if (typeof value === 'string') return parseWebAddress(value)
  const links = linksOf(value)
  const page = links.find(({ mediaType }) => mediaType === 'text/html')
  return (page ?? links.find(({ mediaType }) => mediaType === null))?.url ?? null
}
