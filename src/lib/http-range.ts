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
