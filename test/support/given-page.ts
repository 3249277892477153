import { expect } from 'vitest'
import { as } from './as'
import { fakeQueue } from './fake-queue'
import { fediverse } from './fediverse'
import type { TestAccount } from './given'

const { network } = fediverse

let made = 0

/** A host nobody else has. */
export function freshHost(): string {
  made += 1
  return `site${made}.test`
}

/** Serves a page at `url`: its head, or an answer made for each request. */
export function page(url: string, head: string | (() => Response)): string {
  const respond =
    typeof head === 'string'
      ? () => new Response(`<html lang="en"><head>${head}</head><body>x</body></html>`, { headers: html })
      : head
  network.respond(url, respond)
  return url
}

export const html = { 'content-type': 'text/html; charset=utf-8' }

export const tinyPng = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
)

/** Serves a picture of one pixel. */
export function picture(url: string): string {
  network.respond(url, () => new Response(tinyPng, { headers: { 'content-type': 'image/png' } }))
  return url
}

/** Posts a status and does the jobs that follow; answers it as its author then sees it, and what the jobs came to. */
export async function postAndProcess(
  by: TestAccount,
  text: string,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { ctx, work, jobs } = fakeQueue()
  const { outbox, ...overrides } = ctx
  const made = await as(by).post('/api/v1/statuses', { status: text, ...more }, { overrides })
  expect(made.status).toBe(200)
  const asked = [...jobs]
  const outcomes = await work()
  const id = idIn(made.body)
  const { body } = await as(by).get(`/api/v1/statuses/${id}`)
  return { id, card: cardIn(body), asked, outcomes, ctx, work }
}

function idIn(body: unknown): string {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
  if (typeof id !== 'string') throw new Error('That is no status')
  return id
}

/** The card of a status as the API answers it; null when it has none. */
export function cardIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('card' in body)) throw new Error('That is no status')
  return body.card
}
