import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api'
import type { Endpoint } from '../../src/api/endpoint'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { anonymous, type TestResponse } from '../support/as'
import { checkEach } from '../support/check-each'
import { call, takesOnlyIds } from '../support/every-endpoint'
import { given, type TestAccount } from '../support/given'
import { trendingLink } from '../support/given-link'
import { givenOwner } from '../support/given-staff'
import { plainParams } from '../support/plain-bodies'
import { revokedToken } from '../support/revoked-token'
import { context, fetchApp } from '../support/test-app'

/** Rules for every answer of the API, generated from the endpoint list. */

const name = ({ method, path }: Endpoint) => `${method} ${path}`
// Hashtags may be named where their ids are meant, and one that was never used is a hashtag as well.
const withId = endpoints.filter(({ path }) => path.includes('/:id') && !path.startsWith('/api/v1/tags/'))
const open = endpoints.filter(
  ({ method, path, auth }) => method === 'GET' && auth.kind === 'anyone' && !path.includes(':'),
)

function isJson(answer: TestResponse): void {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; frame-ancestors 'none'/)
}

describe('every endpoint', () => {
  let alice: TestAccount
  let owner: TestAccount
  /** Addresses that are known here, for those that are asked about one. */
  const urls = new Map<string, string>()
  beforeAll(async () => {
    alice = await given.account()
    owner = await givenOwner()
    await saveSettings(context(), operator, { domainBlocksShownTo: 'all', termsOfService: 'Be kind.' })
    const { id } = await given.status({ by: alice })
    urls.set('/api/oembed', `https://fieldfare.test/@${alice.username}/${id}`)
    urls.set('/api/v1/timelines/link', (await trendingLink()).url)
  })

  it('every endpoint refuses in JSON with an error text that no browser executes [T-330]', async () => {
    const revoked = await revokedToken()
    await checkEach(endpoints, { name, atOnce: 8 }, async (endpoint) => {
      const answer = await call(revoked, endpoint, endpoint.path.replaceAll(/:\w+/g, '1'))
      isJson(answer)
      expect(answer.body).toMatchObject({ error: expect.stringMatching(/\w/) })
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    })
  })

  it('every endpoint answers 404 for an unknown or invalid id [T-331]', async () => {
    const cases = withId.flatMap((endpoint) =>
      ['7', 'abc', ...(takesOnlyIds(endpoint) ? [] : ['9007199254740993', '-1'])].map((id) => ({
        endpoint,
        id,
      })),
    )
    const named = ({ endpoint, id }: (typeof cases)[number]) => `${name(endpoint)} with the id ${id}`
    await checkEach(cases, { name: named }, async ({ endpoint, id }) => {
      // Callers without access to an endpoint are refused before anything is looked for.
      const caller = endpoint.auth.kind === 'staff' ? owner : alice
      const answer = await call(caller, endpoint, endpoint.path.replace(':id', id), {
        choices: ['0'],
        all: true,
        type: endpoint.path.endsWith('/statuses/action') ? 'delete' : 'none',
        acct: 'somebody@elsewhere.test',
        items: [{}],
        kind: 'favourites',
      })
      const { status, body } = answer
      expect({ status, body }).toMatchObject({ status: 404, body: { error: 'Record not found' } })
      isJson(answer)
    })
  })

  it('an endpoint open to anyone is cached for seconds without a token, and never with one [T-332]', async () => {
    await checkEach(open, { name }, async (endpoint) => {
      const about = new URLSearchParams({
        acct: alice.username,
        q: alice.username,
        url: urls.get(endpoint.path) ?? '',
        provider: 'keybase',
        username: alice.username,
      })
      const asked = `${endpoint.path}?${about}`
      const [shared, personal] = [await anonymous.get(asked), await call(alice, endpoint, asked)]
      expect(shared.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
      expect(shared.headers.get('vary')).toContain('Authorization')
      expect(shared.headers.get('set-cookie')).toBeNull()
      expect(personal.headers.get('cache-control')).toBe('private, no-store')
      for (const answer of [shared, personal]) isJson(answer)
    })
  })
})

describe('a preflight from a page of another site', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'allows %s with any header, without cookies [T-333]',
    async (method) => {
      const { response } = await fetchApp(
        new Request('https://fieldfare.test/api/v1/statuses', {
          method: 'OPTIONS',
          headers: {
            Origin: 'https://client.example',
            'Access-Control-Request-Method': method,
            'Access-Control-Request-Headers': 'authorization, idempotency-key, x-anything',
          },
        }),
      )
      expect(response.ok).toBe(true)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toContain(method)
      const allowed = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase()
      for (const header of ['authorization', 'idempotency-key', 'x-anything'])
        expect(allowed).toContain(header)
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  it.each([
    '/api/v2/instance',
    '/oauth/token',
    '/.well-known/nodeinfo',
    '/nodeinfo/2.0',
    '/@somebody',
    '/users/somebody',
  ])('answers a preflight for %s', async (path) => {
    const headers = { Origin: 'https://client.example', 'Access-Control-Request-Method': 'GET' }
    const asked = new Request(`https://fieldfare.test${path}`, { method: 'OPTIONS', headers })
    const { response } = await fetchApp(asked)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('the response after a preflight exposes Link and the rate limit [T-334]', async () => {
    const { headers } = await anonymous.get('/api/v1/timelines/public', {
      headers: { Origin: 'https://client.example' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase()
    for (const header of ['link', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect(exposed).toContain(header)
  })
})

describe('a list of values', () => {
  const form = () => {
    const data = new FormData()
    data.append('x[]', '1')
    data.append('x[]', '2')
    return data
  }
  const bodies: readonly (readonly [string, string, BodyInit | null, string | null])[] = [
    ['the query', '?x[]=1&x[]=2', null, null],
    ['a form', '', 'x[]=1&x[]=2', 'application/x-www-form-urlencoded'],
    ['a multipart form', '', form(), null],
    ['JSON', '', '{"x":["1","2"]}', 'application/json'],
  ]
  it.each(bodies)('reads a list of values alike in %s [T-335]', async (_, query, body, type) => {
    const request = new Request(`https://fieldfare.test/${query}`, {
      method: body === null ? 'GET' : 'POST',
      body,
      headers: type === null ? {} : { 'Content-Type': type },
    })
    expect(await plainParams(request)).toEqual({ x: ['1', '2'] })
  })
})
