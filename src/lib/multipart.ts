const maxHeaderBytes = 8_192

/** A named part of a multipart body: text, or the bytes of a file as a view into the body. */
export type Part = readonly [name: string, value: string | Uint8Array]

/**
 * Parses a `multipart/form-data` body into its parts, in order; null if malformed or of more than `maxParts`.
 *
 * The platform's own reader copies every file, and an isolate has no memory for a second copy of a video. A
 * file's name and declared type are left out: both are untrusted. The nameless empty part that browsers send
 * for an untouched file field counts as not sent.
 */
export function parseMultipart(body: Uint8Array, contentType: string, maxParts: number): Part[] | null {
  const boundary = boundaryOf(contentType)
  if (boundary === null) return null
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = `\r\n--${boundary}`
  const parts: Part[] = []
  let at = firstDelimiterEnd(bytes, boundary)
  for (let seen = 0; at !== null && seen <= maxParts; seen++) {
    if (bytes.toString('latin1', at, at + 2) === '--') return parts
    const start = bytes.indexOf('\r\n', at)
    const headersEnd = start < 0 ? -1 : bytes.indexOf('\r\n\r\n', start)
    const end = headersEnd < 0 ? -1 : bytes.indexOf(delimiter, headersEnd + 2)
    if (end < 0 || headersEnd - start > maxHeaderBytes) return null
    // A part without content shares its line break with the delimiter.
    const content = bytes.subarray(Math.min(headersEnd + 4, end), end)
    const part = partOf(bytes.toString('utf8', start, headersEnd), content)
    if (part === null) return null
    if (part !== 'untouched') parts.push(part)
    at = end + delimiter.length
  }
  return null
}

function boundaryOf(contentType: string): string | null {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return match?.[1] ?? match?.[2] ?? null
}

/** The body opens with a delimiter, as a rule without a line break before it. */
function firstDelimiterEnd(bytes: Buffer, boundary: string): number | null {
  const at = bytes.indexOf(`--${boundary}`)
  const isAtLineStart = at === 0 || bytes.toString('latin1', at - 2, at) === '\r\n'
  return at >= 0 && isAtLineStart ? at + 2 + boundary.length : null
}

function partOf(headers: string, content: Buffer): Part | 'untouched' | null {
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(headers)?.[1]
  if (disposition === undefined) return null
  const parameters = parametersOf(disposition)
  const name = parameters.get('name')
  if (name === undefined) return null
  const fileName = parameters.get('filename') ?? parameters.get('filename*')
  if (fileName === undefined) return [name, new TextDecoder().decode(content)]
  if (fileName === '' && content.length === 0) return 'untouched'
  return [name, new Uint8Array(content.buffer, content.byteOffset, content.length)]
}

/** Parameters of the header; of duplicates the first counts. Browsers escape quotes and line breaks alone. */
function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, bare] of disposition.matchAll(/;\s*([\w*-]+)=(?:"([^"]*)"|([^;"\s]*))/g)) {
    const value = (quoted ?? bare ?? '').replaceAll(/%22|%0A|%0D/gi, decodeURIComponent)
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), value)
  }
  return parameters
}
