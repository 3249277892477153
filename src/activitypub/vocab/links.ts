import { hostOf, parseWebAddress } from '../../lib/web-address'
import { isObject, type JsonObject, listOf, numberWithin } from './json'
import { stringOf } from './text'

const MAX_LINKS = 40
const MAX_DEPTH = 3

/** One address a document offers for something, with what it says of the file there. */
export interface Link {
  readonly url: string
  readonly mediaType: string | null
  readonly width: unknown
  readonly height: unknown
}

/**
 * The addresses of a property that holds a string, a Link (`href`), a thing with a `url` of its own, or a list of
 * these. PeerTube hides the files of a film in the tags of the Link to its playlist: they come after it.
 */
export function linksOf(value: unknown): readonly Link[] {
  const found: Link[] = []
  collect(value, found, {})
  return found
}

/** `around` is what holds the value: where an address says nothing of itself, its words count. */
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

/** The media type in lower case and without parameters. */
export function mediaTypeOf(object: JsonObject): string | null {
  const [type = ''] = (stringOf(object['mediaType']) ?? '').slice(0, 200).split(';', 1)
  return type === '' ? null : type.trim().toLowerCase()
}

/** The first address of a property. */
export function linkOf(value: unknown): string | null {
  return typeof value === 'string' ? parseWebAddress(value) : (linksOf(value)[0]?.url ?? null)
}

/** The address of a picture that comes in several sizes: of the widest. */
export function pictureLinkOf(value: unknown): string | null {
  const width = (link: Link) => numberWithin(link.width, 1, 100_000) ?? 0
  return (
    linksOf(value).reduce<Link | null>(
      (best, link) => (best === null || width(link) > width(best) ? link : best),
      null,
    )?.url ?? null
  )
}

/** The page of what has the id `uri`; null for one on another host, by which it would pass for somebody else's. */
export function ownPageOf(value: unknown, uri: string): string | null {
  const page = pageOf(value)
  return page !== null && hostOf(page) === hostOf(uri) ? page : null
}

/** The address for people: that of an HTML page, else the first of no stated type. */
function pageOf(value: unknown): string | null {
  if (typeof value === 'string') return parseWebAddress(value)
  const links = linksOf(value)
  const page = links.find(({ mediaType }) => mediaType === 'text/html')
  return (page ?? links.find(({ mediaType }) => mediaType === null))?.url ?? null
}
