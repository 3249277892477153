import type { Overrides } from '../../src/wire'
import type { Costs } from './costs'
import { fetchApp } from './test-app'

export interface FetchedDocument {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
  readonly headers: Headers
  readonly costs: Costs
}

interface Options {
  readonly accept?: string | null
  readonly overrides?: Overrides
}

const documents =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Asks for a path or address of ours as another server does: unsigned, for the document. */
export async function fetchDocument(path: string, options: Options = {}): Promise<FetchedDocument> {
  const { accept = documents } = options
  const headers = new Headers(accept === null ? {} : { accept })
  const url = new URL(path, 'https://fieldfare.test')
  const request = new Request(url, { headers, redirect: 'manual' })
  const { response, costs } = await fetchApp(request, options.overrides)
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const parsed: unknown = isJson ? JSON.parse(text) : {}
  return {
    status: response.status,
    headers: response.headers,
    costs,
    text,
    body: isObject(parsed) ? parsed : {},
  }
}
