import { BadRequest, TooLarge } from '../errors'

type Params = { [key: string]: unknown }

const limits = { textBytes: 1_048_576, multipartBytes: 110_000_000, keys: 2_000, depth: 6 }

/**
 * Query, body and path of a request as one object: path wins over body, body over query.
 *
 * Forms and queries nest by brackets as Rails reads them (`a[b]=1`, `a[]=1`, `a[][b]=1`, where a repeated key
 * opens the next element). JSON, form and multipart bodies end in the same shape.
 */
export async function readParams(
  request: Request,
  path: Readonly<Record<string, string>>,
): Promise<Readonly<Params>> {
  const query = new URL(request.url).searchParams
  return { ...nest([...query.entries()]), ...(await readBody(request)), ...path }
}

async function readBody(request: Request): Promise<Params> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.body === null) return {}
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'multipart/form-data') return readMultipart(request)
  const text = await readText(request)
  if (text.trim() === '') return {}
  if (type === 'application/x-www-form-urlencoded') return nest([...new URLSearchParams(text).entries()])
  if (type === 'application/json' || type.endsWith('+json') || type === '') return parseJson(text)
  return {}
}

function parseJson(text: string): Params {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BadRequest('The request body is not valid JSON', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest('The request body must be a JSON object')
  return { ...value }
}

async function readMultipart(request: Request): Promise<Params> {
  refuseOver(Number(request.headers.get('content-length') ?? 0), limits.multipartBytes)
  try {
    const form = await request.formData()
    return nest([...form.entries()])
  } catch (cause) {
    if (cause instanceof BadRequest) throw cause
    throw new BadRequest('The multipart body cannot be read', cause)
  }
}

async function readText(request: Request): Promise<string> {
  refuseOver(Number(request.headers.get('content-length') ?? 0), limits.textBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    refuseOver(size, limits.textBytes)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(await new Blob(chunks).arrayBuffer())
}

function refuseOver(bytes: number, limit: number): void {
  if (bytes > limit) throw new TooLarge('The request body is too large')
}

/** Bracketed names to nested values. Exported for its own test. */
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
}
