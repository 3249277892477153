import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { Status } from '../../src/contract/entities/status'
import type { Overrides } from '../../src/wire'
import type { Costs } from './costs'
import type { TestAccount } from './given'
import { fetchApp } from './test-app'

const origin = 'https://fieldfare.test'

export type Body =
  | FormData
  | URLSearchParams
  | string
  | Readonly<Record<string, unknown>>
  | readonly unknown[]

/** A response, parsed and validated by the contract of its endpoint. */
export interface TestResponse {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
  readonly costs: Costs
  /** Path and query of the Link header's targets. */
  readonly links: { readonly next?: string; readonly prev?: string }
}

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  readonly overrides?: Overrides
}

/** Calls the API as somebody, as the holder of a token, or as nobody. Every 2xx body is parsed strictly. */
export function as(caller: TestAccount | string | null) {
  const token = typeof caller === 'string' ? caller : (caller?.token ?? null)
  const call = (method: Endpoint['method']) => (path: string, body?: Body, options?: Options) =>
    send(token, method, path, method === 'GET' ? undefined : body, options)
  return {
    get: (path: string, options?: Options) => send(token, 'GET', path, undefined, options),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
    /** By the method an endpoint declares; what is read takes no body. */
    call: (method: Endpoint['method'], path: string, body?: Body, options?: Options) =>
      call(method)(path, body, options),
  }
}

export const anonymous = as(null)

async function send(
  token: string | null,
  method: string,
  path: string,
  body: Body | undefined,
  options: Options = {},
): Promise<TestResponse> {
  const headers = new Headers({ accept: 'application/json', ...options.headers })
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  const raw = body instanceof FormData || body instanceof URLSearchParams || typeof body === 'string'
  if (body !== undefined && !raw) headers.set('Content-Type', 'application/json')
  const payload = body === undefined ? null : raw ? body : JSON.stringify(body)
  const request = new Request(`${origin}${path}`, { method, headers, body: payload, redirect: 'manual' })
  const { response, costs } = await fetchApp(request, options.overrides)
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const parsed: unknown = response.status === 204 ? null : isJson && text !== '' ? JSON.parse(text) : text
  if (response.ok) assertContract(method, path, parsed)
  return {
    status: response.status,
    body: parsed,
    headers: response.headers,
    costs,
    links: linksOf(response.headers.get('link')),
  }
}

/** The endpoint that serves a method and path in any spelling; literal segments win over parameters. */
export function endpointFor(method: string, path: string): Endpoint | undefined {
  const asked = (path.split('?')[0] ?? '')
    .replace(/\/$/, '')
    .replace(/\.json$/, '')
    .split('/')
  const fits = (declaredByLength.get(asked.length) ?? []).filter(
    ({ endpoint, segments }) =>
      endpoint.method === method &&
      segments.every((segment, index) => segment.startsWith(':') || segment === asked[index]),
  )
  return fits.sort((a, b) => b.literal - a.literal)[0]?.endpoint
}

/** Endpoints by the number of segments of their paths: asked for with every response. */
const declaredByLength = Map.groupBy(
  endpoints.map((endpoint) => {
    const segments = endpoint.path.split('/')
    return { endpoint, segments, literal: segments.filter((segment) => !segment.startsWith(':')).length }
  }),
  ({ segments }) => segments.length,
)

/** Every API test is also a contract test: an unknown or missing key fails here. */
function assertContract(method: string, path: string, body: unknown): void {
  const endpoint = endpointFor(method, path)
  if (endpoint === undefined) return
  const outcome = endpoint.output.safeParse(body)
  if (!outcome.success)
    throw new Error(
      `${method} ${path} breaks its contract: ${outcome.error.message}\n${JSON.stringify(body)}`,
    )
}

function linksOf(header: string | null) {
  const links: { next?: string; prev?: string } = {}
  for (const [, href, rel] of (header ?? '').matchAll(/<([^>]+)>; rel="(next|prev)"/g)) {
    if (href === undefined) continue
    const url = new URL(href)
    if (rel === 'next') links.next = url.pathname + url.search
    if (rel === 'prev') links.prev = url.pathname + url.search
  }
  return links
}

/** The status that somebody posts by the API. */
export async function posted(
  author: TestAccount,
  fields: Readonly<Record<string, unknown>>,
): Promise<Status> {
  return Status.parse((await as(author).post('/api/v1/statuses', fields)).body)
}

/** The id of a status that somebody posts by the API. */
export async function postedId(
  author: TestAccount,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await posted(author, { status: 'A wren', ...fields })).id
}
