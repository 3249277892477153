import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { call } from '../support/http'
import { postMany } from '../support/masto'
import { newPerson } from '../support/people'

const list = (header: string | null) => (header ?? '').split(',').map((one) => one.trim().toLowerCase())

/** Sends the preflight request of a browser. */
async function preflight(method: string, path: string, asked: readonly string[]) {
  const answer = await call(path, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://phanpy.example',
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': asked.join(','),
    },
  })
  const allowed = list(answer.headers.get('access-control-allow-headers'))
  return {
    isOk: answer.ok,
    origin: answer.headers.get('access-control-allow-origin'),
    isMethodAllowed: list(answer.headers.get('access-control-allow-methods')).includes(method.toLowerCase()),
    refused: asked.filter((header) => !allowed.includes(header)),
    credentials: answer.headers.get('access-control-allow-credentials'),
  }
}

const granted = { isOk: true, origin: '*', isMethodAllowed: true, refused: [], credentials: null }

describe('a page of another site', () => {
  it.each([
    ['POST', '/api/v1/statuses', ['authorization', 'content-type', 'idempotency-key']],
    ['PUT', '/api/v1/statuses/1', ['authorization', 'content-type']],
    ['DELETE', '/api/v1/statuses/1', ['authorization']],
    ['PATCH', '/api/v1/accounts/update_credentials', ['authorization']],
    ['GET', '/api/v1/timelines/home?limit=20', ['authorization']],
    ['POST', '/api/v2/media', ['authorization']],
    ['POST', '/api/v1/apps', ['content-type']],
    ['POST', '/oauth/token', ['content-type']],
    ['POST', '/oauth/revoke', ['content-type']],
    ['GET', '/oauth/userinfo', ['authorization']],
    ['GET', '/api/v1/nothing/here', ['authorization']],
  ])('a page of another site can send %s %s after a preflight', async (method, path, asked) => {
    expect(await preflight(method, path, asked)).toEqual(granted)
  })

  it.each([
    '/api/v2/instance',
    '/api/v1/instance',
    '/api/v1/timelines/public',
    '/api/v1/accounts/verify_credentials',
    '/api/v1/nothing/here',
    '/.well-known/nodeinfo',
    '/.well-known/oauth-authorization-server',
    '/nodeinfo/2.0',
    '/assets/avatar.webp',
  ])('a page of another site can read %s, refusals included', async (path) => {
    const answer = await call(path, { headers: { Origin: 'https://elk.example' } })
    await answer.arrayBuffer()
    expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, '*'])
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('a page of another site can read the links to other pages and the remaining rate limit', async () => {
    const alice = await newPerson('alice')
    await postMany(alice, 3, (nth) => `Verse ${nth}`)
    const answer = await call(`/api/v1/accounts/${alice.id}/statuses?limit=2`, {
      headers: { Origin: 'https://elk.example' },
    })
    const exposed = list(answer.headers.get('access-control-expose-headers'))
    expect(exposed).toEqual(expect.arrayContaining(['link', 'x-ratelimit-remaining']))
    const link = answer.headers.get('link') ?? ''
    expect(link).toMatch(
      /^<http[^>]+\?[^>]*limit=2[^>]*max_id=\d+[^>]*>; rel="next", <http[^>]+>; rel="prev"$/,
    )
  })

  it('a page of another site can read no pages', async () => {
    for (const path of ['/auth/sign_in', '/auth/sign_up', '/oauth/authorize', '/']) {
      const answer = await call(path, { headers: { Origin: 'https://cuckoo.example' } })
      await answer.arrayBuffer()
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
  })

  it('a page of another site cannot post a form in a user’s name', async () => {
    const answer = await call('/auth/sign_in', {
      method: 'POST',
      body: new URLSearchParams({ username: 'owner', password: 'guess' }),
      headers: { Origin: 'https://cuckoo.example', 'Sec-Fetch-Site': 'cross-site' },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers.getSetCookie().filter((line) => /session/i.test(line))).toEqual([])
  })
})

describe('responses', () => {
  const headersOf = async (path: string, as?: Awaited<ReturnType<typeof newPerson>>) => {
    const answer = await call(path, as === undefined ? {} : { as })
    await answer.arrayBuffer()
    return answer.headers
  }

  it('responses are cached for seconds when public, and never when personal', async () => {
    const open = await headersOf('/api/v1/timelines/public')
    expect(open.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(list(open.get('vary'))).toContain('authorization')
    expect(open.getSetCookie()).toEqual([])
    const own = await headersOf('/api/v1/timelines/public', await newPerson())
    expect(own.get('cache-control')).toBe('private, no-store')
  })

  it('deny everything to a browser that renders them as a page', async () => {
    const headers = await headersOf('/api/v2/instance')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['/', '/health', '/api/v2/instance', '/api/v1/timelines/public', '/nodeinfo/2.0', '/about'])(
    'HEAD %s equals GET without a body',
    async (path) => {
      const [head, get] = [await call(path, { method: 'HEAD' }), await call(path)]
      expect(await head.text()).toBe('')
      expect(await get.text()).not.toBe('')
      expect([head.status, head.headers.get('content-type')]).toEqual([200, get.headers.get('content-type')])
    },
  )

  it('responses are JSON with a reason when they refuse', async () => {
    const answer = await call('/api/v1/accounts/verify_credentials')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const { error } = z.object({ error: z.string() }).parse(await answer.json())
    expect([answer.status, error]).toEqual([401, 'This method requires an access token'])
  })
})
