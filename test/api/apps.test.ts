import { describe, expect, it } from 'vitest'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import { appToken, exchange, freshIp, givenCode, registerClient, tokenIn } from '../support/oauth'

const register = (body: Record<string, unknown>) =>
  anonymous.post('/api/v1/apps', body, { headers: { 'cf-connecting-ip': freshIp() } })

const good = { client_name: 'Finch', redirect_uris: 'https://finch.test/back' }

describe('POST /api/v1/apps', () => {
  it('returns the credentials of a new application [T-240]', async () => {
    const answer = await register({ ...good, scopes: 'read write', website: 'https://finch.test' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'Finch',
        website: 'https://finch.test',
        scopes: ['read', 'write'],
        redirect_uris: ['https://finch.test/back'],
        redirect_uri: 'https://finch.test/back',
        client_id: expect.stringMatching(/^[\w-]{43}$/),
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
        client_secret_expires_at: 0,
        vapid_key: expect.stringMatching(/^B[\w-]{86}$/),
      },
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
  })

  it.each([
    ['no scopes', {}, ['read']],
    ['empty scopes', { scopes: '' }, ['read']],
    ['scopes as a list', { scopes: ['write'] }, ['read']],
    ['the same scope twice', { scopes: 'read write read' }, ['read', 'write']],
    ['scopes joined by plus signs', { scopes: 'read+push' }, ['read', 'push']],
    ['a narrow scope', { scopes: 'write:media' }, ['write:media']],
  ])('an application with %s has the documented scopes [T-241]', async (_name, more, scopes) => {
    expect(await register({ ...good, ...more })).toMatchObject({ status: 200, body: { scopes } })
  })

  it('an application has no website where none was given [T-242]', async () => {
    expect(await register(good)).toMatchObject({ body: { website: null } })
    expect(await register({ ...good, website: '' })).toMatchObject({ body: { website: null } })
  })

  it.each([
    ['a text of lines', 'https://a.test/\nfinch://back'],
    ['a text of lines from Windows', 'https://a.test/\r\nfinch://back'],
    ['a list', ['https://a.test/', 'finch://back']],
  ])('keeps several redirect URIs from %s [T-243]', async (_name, redirect_uris) => {
    expect(await register({ ...good, redirect_uris })).toMatchObject({
      status: 200,
      body: {
        redirect_uris: ['https://a.test/', 'finch://back'],
        redirect_uri: 'https://a.test/\nfinch://back',
      },
    })
  })

  it.each([
    ['out of band', 'urn:ietf:wg:oauth:2.0:oob'],
    ['a custom scheme', 'com.example.finch:/callback'],
    ['plain http', 'http://localhost:4000/back'],
    ['an @ in path and query', 'https://finch.test/@back?to=a@b'],
    ['an @ in a custom scheme without a host', 'com.example.finch:/@back'],
  ])('POST /api/v1/apps allows %s', async (_name, redirect_uris) => {
    expect((await register({ ...good, redirect_uris })).status).toBe(200)
  })

  it.each([
    ['no redirect URI', { redirect_uris: undefined }],
    ['an empty redirect URI', { redirect_uris: '' }],
    ['a lone newline', { redirect_uris: '\n' }],
    ['an empty list of redirect URIs', { redirect_uris: [] }],
    ['a relative redirect URI', { redirect_uris: '/back' }],
    ['a fragment', { redirect_uris: 'https://finch.test/#back' }],
    ['a javascript: URI', { redirect_uris: 'javascript:alert(1)' }],
    ['a JavaScript: URI in capitals', { redirect_uris: 'JAVASCRIPT:alert(1)' }],
    ['a data: URI', { redirect_uris: 'data:text/html,hi' }],
    ['a vbscript: URI', { redirect_uris: 'vbscript:x' }],
    ['a file: URI', { redirect_uris: 'file:///etc/passwd' }],
    ['a File: URI of a host', { redirect_uris: 'File://host/share' }],
    ['a filesystem: URI', { redirect_uris: 'filesystem:https://finch.test/temporary/a.html' }],
    ['a name before the host', { redirect_uris: 'https://finch.test@evil.test/' }],
    ['a name and a password', { redirect_uris: 'https://finch:secret@evil.test/' }],
    ['a password alone', { redirect_uris: 'https://:secret@evil.test/' }],
    ['an empty name', { redirect_uris: 'https://@evil.test/' }],
    ['a name after backslashes', { redirect_uris: 'https:\\\\finch.test@evil.test/' }],
    ['a name in a scheme of its own', { redirect_uris: 'finch://user@back' }],
    ['one bad URI among good ones', { redirect_uris: ['https://a.test/', 'javascript:alert(1)'] }],
    ['a redirect URI of 2001 characters', { redirect_uris: `https://finch.test/${'x'.repeat(1982)}` }],
    ['no name', { client_name: undefined }],
    ['a blank name', { client_name: '  ' }],
    ['a name of 61 characters', { client_name: 'x'.repeat(61) }],
    ['a website of 2001 characters', { website: `https://finch.test/${'x'.repeat(1982)}` }],
    ['a website that is no address', { website: 'javascript:alert(1)' }],
    ['an unknown scope', { scopes: 'read fly' }],
    ['the scope admin, which there is not', { scopes: 'admin' }],
    ['a name that is a list', { client_name: ['x'] }],
    ['redirect URIs that are objects', { redirect_uris: { a: 1 } }],
  ])('POST /api/v1/apps refuses %s with 422 [T-244]', async (_name, more) => {
    const answer = await register({ ...good, ...more })
    expect(answer).toMatchObject({
      status: 422,
      body: { error: expect.stringContaining('Validation failed: ') },
    })
  })

  it('allows an address five in ten minutes', async () => {
    const headers = { 'cf-connecting-ip': freshIp() }
    const answers = []
    for (let count = 0; count < 6; count += 1)
      answers.push(await anonymous.post('/api/v1/apps', good, { headers }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers[5]?.headers.get('x-ratelimit-remaining')).toBe('0')
  })
})

describe('GET /api/v1/apps/verify_credentials', () => {
  it('returns the application without its credentials, to any token [T-245]', async () => {
    const client = await registerClient({ scopes: 'read write push', name: 'Wren' })
    const alice = await given.account()
    const user = tokenIn((await exchange(client, await givenCode(client, alice.id, { scopes: 'push' }))).body)
    for (const token of [user, await appToken(client)]) {
      const answer = await as(token).get('/api/v1/apps/verify_credentials')
      expect(answer).toMatchObject({ status: 200, body: { name: 'Wren', scopes: ['read', 'write', 'push'] } })
      expect(Object.keys(Object(answer.body))).not.toContain('client_secret')
      expect(Object.keys(Object(answer.body))).not.toContain('client_id')
      // Two, and after the answer the stamp of the day's first use.
      expect(answer.costs.trips).toBeLessThanOrEqual(3)
    }
  })

  it('GET /api/v1/apps/verify_credentials is refused without a token, and with a wrong or revoked one [T-246]', async () => {
    const client = await registerClient()
    const token = await appToken(client)
    await anonymous.post('/oauth/revoke', { client_id: client.clientId, token })
    for (const caller of [anonymous, as('wrong'), as(token)])
      expect((await caller.get('/api/v1/apps/verify_credentials')).status).toBe(401)
  })
})
