import { describe, expect, it } from 'vitest'
import type { Overrides } from '../src/wire'
import { anonymous, as } from './support/as'
import { Browser, textOf } from './support/browser'
import { clock, context } from './support/test-app'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A log that keeps its lines, and a database that fails. */
function brokenWorld() {
  const lines: { readonly message: string; readonly requestId: unknown }[] = []
  const note = (message: string, facts: Readonly<Record<string, unknown>> = {}) =>
    void lines.push({ message, requestId: facts['requestId'] })
  const db = new Proxy(context().db, {
    get: (target, key) =>
      key === 'batch' ? () => Promise.reject(new Error('down')) : Reflect.get(target, key),
  })
  return { lines, overrides: { db, log: { info: note, error: note } } }
}

describe('X-Request-Id', () => {
  it('X-Request-Id is on every answer and never twice the same', async () => {
    const answers = [
      await anonymous.get('/api/v1/instance/rules'),
      await anonymous.get('/api/v1/statuses/1'),
      await anonymous.get('/api/v1/timelines/home'),
      await new Browser().get('/about'),
      await new Browser().get('/nowhere'),
      await new Browser().get('/health'),
      await new Browser().get('/media/none.png'),
    ]
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
    for (const id of ids) expect(id).toMatch(uuid)
    expect(new Set(ids).size).toBe(answers.length)
  })

  it('X-Request-Id is in the log of a failure and on its page', async () => {
    const { lines, overrides } = brokenWorld()
    const page = await new Browser(overrides).get('/')
    const id = page.headers.get('x-request-id')
    expect(lines).toEqual([{ message: 'A request failed', requestId: id }])
    expect(textOf(page.html)).toContain(`Request ${id}`)
  })

  it('X-Request-Id is on a server error too', async () => {
    const { lines, overrides } = brokenWorld()
    const answer = await anonymous.get('/api/v1/instance/rules', { overrides })
    expect(answer.status).toBe(500)
    expect(lines.map(({ requestId }) => requestId)).toEqual([answer.headers.get('x-request-id')])
  })

  it('X-Request-Id is never taken from the request', async () => {
    const page = await new Browser().get('/health', { headers: { 'x-request-id': 'mine' } })
    expect(page.headers.get('x-request-id')).toMatch(uuid)
  })
})

describe('a refusal', () => {
  it('a refusal has codes for programs that accept them, and Mastodon’s form for all others', async () => {
    const setup = as('a-setup-token-for-tests')
    const create = (accept: string) =>
      setup.post('/api/fieldfare/v1/admin/accounts', { username: 'a b' }, { headers: { accept } })
    const error = 'Validation failed: Username must be letters, digits and underscores, at most 30'
    const plain = await create('application/json')
    expect([plain.status, plain.body]).toEqual([422, { error }])
    const described = await create('application/json, application/problem+json')
    expect(described.headers.get('content-type')).toContain('application/problem+json')
    const sentence = '{field} must be letters, digits and underscores, at most 30'
    const problems = [{ code: 'invalid_username_at_most', field: 'username', sentence }]
    expect([described.status, described.body]).toEqual([422, { error, problems }])
  })
})

describe('every answer', () => {
  const headersOf = async (path: string, overrides: Overrides = {}) =>
    (await new Browser(overrides).get(path)).headers

  it.each([
    '/',
    '/about',
    '/nowhere',
    '/health',
    '/auth/sign_in',
    '/api/v2/instance',
    '/api/v1/timelines/home',
    '/nodeinfo/2.0',
    '/media/none.png',
  ])('sends browsers to https only, and gives pages no device permissions: %s', async (path) => {
    const headers = await headersOf(path)
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
    const denied = (headers.get('permissions-policy') ?? '').split(', ')
    expect(denied).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()']))
    expect(headers.get('date')).toBe(clock.now().toUTCString())
  })

  it('does not require https where the instance has none, like on a development machine', async () => {
    const { config } = context()
    const local = { config: { ...config, origin: 'http://fieldfare.test' } }
    expect((await headersOf('/health', local)).get('strict-transport-security')).toBeNull()
  })
})
