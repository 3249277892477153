import { BadRequest } from '../errors'
import type { BodyKind, BodyReader } from './body'
import { parseMultipart } from './multipart'
import { withoutControls } from './text/controls'

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
  const type = mediaType(request.headers)
  if (isMultipart(request.headers)) return readMultipart(request, await bodies.read(request, kind))
  const text = new TextDecoder().decode(await bodies.read(request, kind === 'upload' ? 'text' : kind))
  if (text.trim() === '') return {}
  if (type === 'application/x-www-form-urlencoded') return nest([...new URLSearchParams(text).entries()])
  if (type !== 'application/json' && !type.endsWith('+json') && type !== '') return {}
  const value = parseJson(text)
  // HTTP libraries may send `null` for an empty body. masto.js repeats the id to delete as bare text.
  if (value === null || (request.method === 'DELETE' && typeof value === 'string')) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw new BadRequest('The request body must be a JSON object')
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
  return method !== 'GET' || (mediaType(headers) === 'application/json' && headers.has('authorization'))
}

/** Whether the body is a form that may hold files. */
export function isMultipart(headers: Headers): boolean {
  return mediaType(headers) === 'multipart/form-data'
}

function mediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BadRequest('The request body is not valid JSON', cause)
  }
}

function readMultipart(request: Request, body: Uint8Array): Params {
  const parts = parseMultipart(body, request.headers.get('content-type') ?? '', limits.keys)
  if (parts === null) throw new BadRequest('The multipart body cannot be read')
  return nest(parts)
}

/** Cleans the texts in a value; files stay as they are. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutControls(value)
  if (depth > limits.jsonDepth) throw new BadRequest('Parameters are nested too deeply')
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  return isParams(value) ? cleanFields(value, depth + 1) : value
}

function cleanFields(fields: Params, depth: number): Params {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, clean(value, depth)]))
}

/** Nests bracketed names. Exported for its own test. */
export function nest(entries: readonly (readonly [string, unknown])[]): Params {
  if (entries.length > limits.keys) throw new BadRequest('Too many parameters')
  const root: Params = {}
  for (const [name, value] of entries) place(root, pathOf(name), value)
  return root
}

/** `a[b][]` is ['a', 'b', '']. A name with broken brackets stays one plain key. */
function pathOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (match?.[1] === undefined) return [name]
  const inner = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((found) => found[1] ?? '')
  if (inner.length > limits.depth) throw new BadRequest('Parameters are nested too deeply')
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
