import { BadRequest } from '../errors'
import type { BodyKind, BodyReader } from './body'
import { contentTypeOf } from './request-headers'
import { withoutControls } from './text/bytes'

type Params = { [key: string]: unknown }

const limits = { keys: 2_000, depth: 6, jsonDepth: 100 }

/** Options for reading a request: path parameters, and the allowed kind of body. */
export interface ParamOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly kind: BodyKind
}

/**
 * Query, body and path of a request as one object: path wins over body, body over query.
 *
 * Forms and queries nest by brackets as Rails reads them (`a[b]=1`, `a[]=1`, `a[][b]=1`, where a repeated key
 * opens the next element). JSON, form and multipart bodies end in the same shape; a file in one is its bytes.
 * Only multipart is read as an upload; other bodies are text. Texts in query and body are without control characters but
 * tab and line feed: line breaks of forms, CR LF, and of JSON are the same.
 */
export async function readParams(
  bodies: BodyReader,
  request: Request,
  { path = {}, kind }: ParamOptions,
): Promise<Readonly<Params>> {
  const query = new URL(request.url).searchParams
  const sent = { ...nest([...query.entries()]), ...(await readBody(bodies, request, kind)) }
  return { ...cleanFields(sent, 0), ...path }
}

async function readBody(bodies: BodyReader, request: Request, kind: BodyKind): Promise<Params> {
  if (!mayHaveBody(request)) return {}
  const type = contentTypeOf(request.headers)
  if (isMultipart(request.headers)) return readMultipart(request, await bodies.read(request, kind))
  const text = new TextDecoder().decode(await bodies.read(request, kind === 'upload' ? 'text' : kind))
  if (text.trim() === '') return {}
  if (type === 'application/x-www-form-urlencoded') return nest([...new URLSearchParams(text).entries()])
  if (type !== 'application/json' && !type.endsWith('+json') && type !== '') return {}
  const value = parseJson(text)
  // HTTP libraries may send `null` for an empty body. masto.js repeats the id to delete as bare text.
  if (value === null || (request.method === 'DELETE' && typeof value === 'string')) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new BadRequest('body_no_object')
  return { ...value }
}

/**
 * Whether the body of a request is read.
 *
 * Of a GET only JSON is, as Rails does: Mastodon.py requests familiar followers in that way. It needs a token
 * as a header too: caches store anonymous responses by the URL alone, and would serve a response that depends
 * on another client's body.
 */
export function mayHaveBody({ method, headers, body }: Request): boolean {
  if (body === null || method === 'HEAD') return false
  return method !== 'GET' || (contentTypeOf(headers) === 'application/json' && headers.has('authorization'))
}

/** Whether the body is a form that may hold files. */
export function isMultipart(headers: Headers): boolean {
  return contentTypeOf(headers) === 'multipart/form-data'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadRequest('body_no_json', {}, cause)
  }
}

function readMultipart(request: Request, body: Uint8Array): Params {
  const parts = parseMultipart(body, request.headers.get('content-type') ?? '', limits.keys)
  if (parts === null) throw new BadRequest('body_no_multipart')
  return nest(parts)
}

/** Cleans the texts in a value; files stay as they are. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutControls(value)
  if (depth > limits.jsonDepth) throw new BadRequest('params_too_deep')
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  return isParams(value) ? cleanFields(value, depth + 1) : value
}

function cleanFields(fields: Params, depth: number): Params {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(value, depth)]))
}

/** Nests bracketed names. Exported for its own test. */
export function nest(entries: readonly (readonly [string, unknown])[]): Params {
  if (entries.length > limits.keys) throw new BadRequest('too_many_params')
  const root: Params = {}
  for (const [name, value] of entries) place(root, pathOf(name), value)
  return root
}

/** `a[b][]` is ['a', 'b', '']. A name with broken brackets stays one plain key. */
function pathOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (match?.[1] === undefined) return [name]
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((found) => found[1] ?? '')
  if (inner.length > limits.depth) throw new BadRequest('params_too_deep')
  return [match[1], ...inner]
}

function place(target: Params, path: readonly string[], value: unknown): void {
  const [key, next, ...rest] = path
  if (key === undefined || key === '__proto__') return
  if (next === undefined) target[key] = value
  else if (next === '') placeInList(listAt(target, key), rest, value)
  else place(objectAt(target, key), [next, ...rest], value)
}

function placeInList(list: unknown[], rest: readonly string[], value: unknown): void {
  const [key, ...deeper] = rest
  if (key === undefined) {
    list.push(value)
    return
  }
  const last = list.at(-1)
  const open = isParams(last) && (deeper.length > 0 || !Object.hasOwn(last, key)) ? last : null
  const element = open ?? {}
  if (open === null) list.push(element)
  place(element, [key, ...deeper], value)
}

function listAt(target: Params, key: string): unknown[] {
  const found = Object.hasOwn(target, key) ? target[key] : undefined
  if (Array.isArray(found)) return found
  const list: unknown[] = []
  target[key] = list
  return list
}

function objectAt(target: Params, key: string): Params {
  const found = Object.hasOwn(target, key) ? target[key] : undefined
  if (isParams(found)) return found
  const made: Params = {}
  target[key] = made
  return made
}

function isParams(value: unknown): value is Params {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  )
}

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
