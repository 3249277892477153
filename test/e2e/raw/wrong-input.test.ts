import { beforeAll, describe, expect, it } from 'vitest'
import { type Call, call } from '../support/http'
import { newPerson, origin, type Person } from '../support/people'

const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('wrong input over the wire', () => {
  let alice: Person

  beforeAll(async () => {
    alice = await newPerson('alice')
  })

  it.each<[what: string, path: string, call: Call, status: number]>([
    ['half a JSON', '/api/v1/statuses', { method: 'POST', headers: json, body: '{"status":' }, 400],
    ['a list as JSON', '/api/v1/statuses', { method: 'POST', headers: json, body: '[]' }, 400],
    [
      'JSON of the wrong types',
      '/api/v1/statuses',
      { method: 'POST', headers: json, body: '{"status":{"a":1},"media_ids":7,"poll":"x"}' },
      422,
    ],
    ['no body', '/api/v1/statuses', { method: 'POST' }, 422],
    [
      'a body of another kind',
      '/api/v1/statuses',
      { method: 'POST', headers: { 'Content-Type': 'application/xml' }, body: '<a/>' },
      422,
    ],
    [
      'a torn multipart body',
      '/api/v2/media',
      {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
        body: '--x\r\nnonsense',
      },
      400,
    ],
    [
      'multipart without a boundary',
      '/api/v2/media',
      { method: 'POST', headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' },
      400,
    ],
    [
      'broken escapes in a form',
      '/api/v1/statuses',
      { method: 'POST', headers: form, body: 'status=%E0%A4%A&media_ids[]=%zz' },
      422,
    ],
    [
      'a name of brackets',
      '/api/v1/statuses',
      { method: 'POST', headers: form, body: `a${'[b]'.repeat(50)}=1` },
      400,
    ],
    ['an id that is none', '/api/v1/statuses/abc', {}, 404],
    ['an id beyond all numbers', '/api/v1/statuses/99999999999999999999999', {}, 404],
    ['an escaped slash as id', '/api/v1/accounts/..%2f..%2f', {}, 404],
    ['broken escapes as id', '/api/v1/accounts/%E0%A4%A', {}, 404],
    [
      'a body on a method without one',
      '/api/v1/statuses/1',
      { method: 'DELETE', headers: json, body: '{]' },
      400,
    ],
  ])('%s is a client error', async (_what, path, request, status) => {
    const answer = await call(path, { ...request, as: alice })
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }])
  })

  it.each([
    '/api/v1/timelines/home?max_id=x&since_id=-1&min_id=&limit=many',
    '/api/v1/timelines/public?limit=100000000000&local=perhaps',
    '/api/v1/notifications?types[]=nothing&exclude_types=&limit=-3',
    '/api/v1/accounts/relationships?id[]=&id[]=x&id=3',
    '/api/v1/timelines/tag/%00%ff?any[]=%F0%9F%90%A6',
    '/api/v1/accounts/search?q=%25%27%22%3B--&limit=1e9',
    '/api/v1/timelines/public?limit[a]=1&local[]=2',
  ])('%s is answered', async (path) => {
    const answer = await call(path, { as: alice })
    await answer.arrayBuffer()
    expect([path, answer.status < 500]).toEqual([path, true])
  })

  it('wrong input over the wire refuses an oversized body', async () => {
    const body = JSON.stringify({ status: 'x'.repeat(2_000_000) })
    const answer = await call('/api/v1/statuses', { method: 'POST', headers: json, body, as: alice })
    expect(answer.status).toBe(413)
  })

  it.each([
    'Bearer',
    'Bearer  ',
    'Basic YTpi',
    'bearer',
    'Bearer a b',
    'Bearer ünsinn'.normalize('NFKD').replaceAll(/[^ -~]/g, '?'),
  ])('refuses the authorization header "%s"', async (Authorization) => {
    const answer = await call('/api/v1/accounts/verify_credentials', { headers: { Authorization } })
    await answer.arrayBuffer()
    expect(answer.status).toBe(401)
  })

  it('answers 404 to a method that a path does not have', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await call('/api/v2/instance', { method })
      expect([method, answer.status, await answer.json()]).toEqual([
        method,
        404,
        { error: expect.any(String) },
      ])
    }
  })

  it('answers 404 to a missing page with a readable page', async () => {
    const answer = await call('/no/such/page', { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      expect.stringMatching(/^text\/html/),
    ])
    expect(await answer.text()).toContain('</html>')
  })

  it('closes the set-up routes without their token', async () => {
    for (const Authorization of ['', 'Bearer wrong'])
      expect(
        (await fetch(`${origin}/setup/owner`, { method: 'POST', headers: { Authorization } })).status,
      ).toBe(401)
  })

  it('limits registrations from one address with Retry-After', async () => {
    const headers = { ...form, 'CF-Connecting-IP': '192.0.2.7' }
    const body = 'client_name=Flood&redirect_uris=https://flood.example'
    const statuses: number[] = []
    let last: Response | null = null
    for (let nth = 0; nth < 6; nth += 1) {
      last = await call('/api/v1/apps', { method: 'POST', headers, body })
      statuses.push(last.status)
      await last.arrayBuffer()
    }
    // The window may turn over in between.
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
    if (statuses.includes(429)) {
      expect(last?.headers.get('x-ratelimit-remaining')).toBe('0')
      expect(Date.parse(String(last?.headers.get('x-ratelimit-reset')))).toBeGreaterThan(Date.now())
    }
  })
})
