/** An accepted media type with its weight. */
interface Accepted {
  readonly type: string
  readonly quality: number
}

/** Parses an Accept header, in its order, types in lower case. Parameters other than the weight are ignored. */
export function parseAccept(header: string): readonly Accepted[] {
  return split(header, ',').flatMap((part) => {
    const [type = '', ...parameters] = split(part, ';').map((piece) => piece.trim())
    if (!type.includes('/')) return []
    return [{ type: type.toLowerCase(), quality: weightIn(parameters) }]
  })
}

/** The languages of an Accept-Language header without their regions, the preferred one first. */
export function preferredLanguages(header: string | null | undefined): readonly string[] {
  const languages = split(header ?? '', ',').flatMap((part, place) => {
    const [tag = '', ...parameters] = split(part, ';').map((piece) => piece.trim())
    const [, language] = /^([a-z]{2,3})(?:-[a-z0-9-]+)?$/i.exec(tag) ?? []
    return language === undefined
      ? []
      : [{ language: language.toLowerCase(), quality: weightIn(parameters), place }]
  })
  return languages
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.place - b.place)
    .map(({ language }) => language)
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  return within(weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/i, '')))
}

function within(quality: number): number {
  return Number.isNaN(quality) ? 0 : Math.min(1, Math.max(0, quality))
}

/** Splits at separators outside quotes. */
function split(text: string, separator: ',' | ';'): string[] {
  const pieces = ['']
  let quoted = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    if (character === separator && !quoted) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  return pieces
}

const dataTypes = new Set(['application/activity+json', 'application/ld+json', 'application/json'])
const pageTypes = new Set(['text/html', 'application/xhtml+xml'])

/**
 * Whether a request prefers data to the HTML page: the higher weight wins, then the earlier type; requests that
 * accept anything get the page.
 */
export function prefersData(header: string | null | undefined): boolean {
  const accepted = parseAccept(header ?? '')
  const best = (fits: (type: string) => boolean) => {
    const all = accepted.map(({ type, quality }, place) => ({ type, quality, place }))
    return all
      .filter(({ type, quality }) => fits(type) && quality > 0)
      .sort((a, b) => b.quality - a.quality || a.place - b.place)[0]
  }
  const data = best((type) => dataTypes.has(type))
  if (data === undefined) return false
  const page = best((type) => pageTypes.has(type))
  if (page === undefined || data.quality > page.quality) return true
  return data.quality === page.quality && data.place < page.place
}

export interface ByteRange {
  readonly offset: number
  readonly length: number
}

// Digits stand between any two runs of white space: clients may send very long ones, which are matched in
// linear time.
const onlyRange = /^bytes=\s*(?:(\d{1,15})\s*)?-(?:\s*(\d{1,15}))?$/i

/**
 * Parses a `Range` header for a body of `size` bytes: one range; null to send it whole; or `unsatisfiable`, to
 * be answered 416.
 *
 * Absent or malformed headers, other units and several ranges count as none, which RFC 9110 section 14.2
 * allows.
 */
export function parseRange(
  header: string | null | undefined,
  size: number,
): ByteRange | null | 'unsatisfiable' {
  const match = onlyRange.exec((header ?? '').trimEnd())
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '') return last === '' ? null : lastBytes(Number(last), size)
  const offset = Number(first)
  const end = last === '' ? size - 1 : Number(last)
  if (last !== '' && end < offset) return null
  if (offset >= size) return 'unsatisfiable'
  return { offset, length: Math.min(end, size - 1) - offset + 1 }
}

function lastBytes(wanted: number, size: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(wanted, size)
  return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
}

/** The `Content-Range` of a 206, or with null that of a 416. */
export function contentRange(range: ByteRange | null, size: number): string {
  return range ? `bytes ${range.offset}-${range.offset + range.length - 1}/${size}` : `bytes */${size}`
}

/** Whether `If-None-Match` names `etag` (quoted, as in the header), so that 304 is the answer. */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const listed = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim())
  return listed.some((tag) => tag === '*' || opaque(tag) === opaque(etag))
}

/** Whether a range may be served: `If-Range` is absent or names exactly this version. A date never does. */
export function allowsRange(ifRange: string | null | undefined, etag: string): boolean {
  return !ifRange || (ifRange.trim() === etag && !etag.startsWith('W/'))
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, '')
}

/**
 * The token from the header, or else from the query parameter that old apps and image tags use. A header of another form
 * carries none, as in Mastodon: apps send `Bearer` alone before they have a token. The set-up token may contain spaces.
 */
export function presentedToken(headers: Headers, url: URL): string | null {
  const [, token] = /^Bearer\s+(\S.*)$/i.exec(headers.get('authorization')?.trim() ?? '') ?? []
  return token ?? url.searchParams.get('access_token')
}

/** The media type of a body, without its parameters; empty if absent. */
export function contentTypeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}
