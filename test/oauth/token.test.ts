import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accessTokens } from '../../src/db/schema'
import { hashToken } from '../../src/domain/sessions/find'
import { findDerivedToken } from '../../src/domain/sessions/issue-token'
import { sign } from '../../src/lib/secrets'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import {
  askForToken,
  exchange,
  givenCode,
  givenOldTokens,
  registerClient,
  tokenIn,
  verifier,
} from '../support/oauth'
import { clock, context, fetchApp } from '../support/test-app'

const refusal = (status: number, error: string) => ({
  status,
  body: { error, error_description: expect.any(String) },
})

describe('POST /oauth/token authorization_code', () => {
  it('returns a token with the scopes of the code [T-690]', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const answer = await exchange(
      client,
      await givenCode(client, alice.id, { scopes: 'read write:statuses' }),
    )
    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        scope: 'read write:statuses',
        created_at: Math.floor(clock.now().getTime() / 1000),
      },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect((await as(tokenIn(answer.body)).get('/api/v1/timelines/home')).status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
  })

  it('POST /oauth/token authorization_code ignores a scope parameter [T-691]', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id, { scopes: 'read' })
    const answer = await exchange(client, code, { scope: 'read write follow' })
    expect(answer).toMatchObject({ status: 200, body: { scope: 'read' } })
  })

  it('creates a token for each exchange, so that each device signs out alone', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const first = await exchange(client, await givenCode(client, alice.id, { scopes: 'read write' }))
    const second = await exchange(client, await givenCode(client, alice.id, { scopes: 'read write' }))
    expect(tokenIn(second.body)).not.toBe(tokenIn(first.body))
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret }
    await anonymous.post('/oauth/revoke', { ...credentials, token: tokenIn(first.body) })
    expect([await reads(first), await reads(second)]).toEqual([401, 200])
  })

  it('never returns the token of another account', async () => {
    const client = await registerClient()
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await exchange(client, await givenCode(client, alice.id))
    const second = await exchange(client, await givenCode(client, bob.id))
    expect(tokenIn(second.body)).not.toBe(tokenIn(first.body))
  })

  it('revokes those longest unused beyond forty of an account for one app, and no others', async () => {
    const [client, other, alice] = [await registerClient(), await registerClient(), await given.account()]
    const elsewhere = await exchange(other, await givenCode(other, alice.id))
    const first = await exchange(client, await givenCode(client, alice.id))
    await givenOldTokens(client, 60, { accountId: alice.id, scopes: 'read', createdAt: clock.now() })
    clock.advance(1_000)
    const answers = [await exchange(client, await givenCode(client, alice.id))]
    clock.advance(1_000)
    answers.push(await exchange(client, await givenCode(client, alice.id)))
    expect(await Promise.all([first, ...answers, elsewhere].map(reads))).toEqual([401, 200, 200, 200])
    const held = context().db.select().from(accessTokens).where(eq(accessTokens.applicationId, client.id))
    expect(await held).toHaveLength(40)
  })

  it('revokes those longest unused beyond three hundred of an account, whatever the app, and no others', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await registerClient()
    const [oldest, ofBob] = [
      await exchange(first, await givenCode(first, alice.id)),
      await exchange(first, await givenCode(first, bob.id)),
    ]
    clock.advance(1_000)
    for (let number = 0; number < 8; number += 1) {
      const client = await registerClient()
      await givenOldTokens(client, 38, { accountId: alice.id, scopes: 'read', createdAt: clock.now() })
    }
    clock.advance(1_000)
    const last = await registerClient()
    const newest = await exchange(last, await givenCode(last, alice.id))
    expect(await Promise.all([oldest, newest, ofBob].map(reads))).toEqual([401, 200, 200])
    const held = context().db.select().from(accessTokens).where(eq(accessTokens.accountId, alice.id))
    expect(await held).toHaveLength(300)
  })

  it('stores a hash of a random token, which no secret computes', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const token = tokenIn((await exchange(client, await givenCode(client, alice.id))).body)
    const [row] = await context()
      .db.select()
      .from(accessTokens)
      .where(eq(accessTokens.accountId, alice.id))
      .orderBy(desc(accessTokens.id))
      .limit(1)
    expect(row).toMatchObject({
      tokenHash: await hashToken(token),
      derived: false,
      sealedForApplication: null,
    })
    expect(await findDerivedToken(context(), row?.id ?? 0)).toBeNull()
    expect(await sign(context().config.secrets, 'access token', String(row?.id))).not.toBe(token)
  })

  const reads = async (answer: { body: unknown }) =>
    (await as(tokenIn(answer.body)).get('/api/v1/timelines/home')).status

  it('refuses a used code and revokes the token created with it [T-692]', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id)
    const first = await exchange(client, code)
    expect(await reads(first)).toBe(200)
    expect(await exchange(client, code)).toMatchObject(refusal(400, 'invalid_grant'))
    expect(await reads(first)).toBe(401)
    expect(await exchange(client, code)).toMatchObject(refusal(400, 'invalid_grant'))
  })

  it('POST /oauth/token authorization_code revokes it whatever else is wrong in the second exchange', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id, { withChallenge: true })
    const first = await exchange(client, code, { code_verifier: verifier })
    const second = await exchange(client, code, { redirect_uri: 'https://client.test/other' })
    expect(second).toMatchObject(refusal(400, 'invalid_grant'))
    expect(await reads(first)).toBe(401)
  })

  it('keeps a token that the used code did not create, and one of another client', async () => {
    const [client, other, alice] = [await registerClient(), await registerClient(), await given.account()]
    const madeBy = await givenCode(client, alice.id)
    const first = await exchange(client, madeBy)
    const code = await givenCode(client, alice.id)
    await exchange(client, code)
    expect(await exchange(client, code)).toMatchObject(refusal(400, 'invalid_grant'))
    expect(await exchange(other, madeBy)).toMatchObject(refusal(400, 'invalid_grant'))
    expect(await reads(first)).toBe(200)
  })

  it('one of two concurrent exchanges wins, and its token is revoked', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id)
    const answers = await Promise.all([
      exchange(client, code),
      exchange(client, code),
      exchange(client, code),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const won = answers.filter(({ status }) => status === 200)
    expect(await Promise.all(won.map(reads))).toEqual([401])
  })

  it('refuses a code after ten minutes [T-693]', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id)
    const start = clock.now()
    clock.advance(600_000)
    const answer = await exchange(client, code)
    clock.set(start)
    expect(answer).toMatchObject(refusal(400, 'invalid_grant'))
  })

  it('refuses a code intercepted by another client [T-694]', async () => {
    const [client, thief, alice] = [await registerClient(), await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id)
    expect(await exchange(thief, code)).toMatchObject(refusal(400, 'invalid_grant'))
    expect((await exchange(client, code)).status).toBe(200)
  })

  it('refuses another redirect_uri, even one that only adds a slash [T-695]', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id)
    const answer = await exchange(client, code, { redirect_uri: `${client.redirectUri}/` })
    expect(answer).toMatchObject(refusal(400, 'invalid_grant'))
  })

  it.each([
    ['missing', {}],
    ['wrong', { code_verifier: 'w'.repeat(43) }],
    ['too short', { code_verifier: 'v' }],
  ])('refuses a code with a challenge when the verifier is %s [T-696]', async (_name, more) => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id, { withChallenge: true })
    expect(await exchange(client, code, more)).toMatchObject(refusal(400, 'invalid_grant'))
  })

  it('accepts the right verifier, and none for a code without a challenge', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const guarded = await givenCode(client, alice.id, { withChallenge: true })
    const open = await givenCode(client, alice.id)
    expect((await exchange(client, guarded, { code_verifier: verifier })).status).toBe(200)
    expect(await exchange(client, open, { code_verifier: verifier })).toMatchObject(
      refusal(400, 'invalid_grant'),
    )
  })

  it('refuses a wrong secret and an unknown client alike, before it reads the code [T-697]', async () => {
    const [client, alice] = [await registerClient(), await given.account()]
    const code = await givenCode(client, alice.id)
    const wrong = await exchange(client, code, { client_secret: 'wrong' })
    const unknown = await exchange(client, code, { client_id: 'nobody' })
    expect(wrong).toMatchObject(refusal(401, 'invalid_client'))
    expect(wrong.headers.get('www-authenticate')).toContain('Basic')
    expect(unknown).toMatchObject({ status: wrong.status, body: wrong.body })
    expect((await exchange(client, code)).status).toBe(200)
  })

  it('POST /oauth/token authorization_code names a missing parameter', async () => {
    const client = await registerClient()
    for (const params of [
      {},
      { grant_type: 'authorization_code' },
      { grant_type: 'authorization_code', code: 'x' },
    ])
      expect(await askForToken(client, params)).toMatchObject(refusal(400, 'invalid_request'))
  })
})

describe('POST /oauth/token client_credentials', () => {
  const grant_type = 'client_credentials'

  it('returns the scope read by default [T-698]', async () => {
    const client = await registerClient()
    expect(await askForToken(client, { grant_type })).toMatchObject({ status: 200, body: { scope: 'read' } })
  })

  it('returns scopes of the app, with the same token every time [T-699]', async () => {
    const client = await registerClient({ scopes: 'read write' })
    const one = await askForToken(client, { grant_type, scope: 'read write' })
    const two = await askForToken(client, { grant_type, scope: 'write read' })
    expect(one).toMatchObject({ status: 200, body: { scope: 'read write' } })
    expect(tokenIn(two.body)).toBe(tokenIn(one.body))
  })

  it.each(['push', 'read push', 'nonsense', 'admin:read'])(
    'refuses %s, which the app does not have [T-700]',
    async (scope) => {
      const client = await registerClient({ scopes: 'read write' })
      expect(await askForToken(client, { grant_type, scope })).toMatchObject(refusal(400, 'invalid_scope'))
    },
  )

  it('acts for the app, not for an account', async () => {
    const client = await registerClient()
    const token = tokenIn((await askForToken(client, { grant_type })).body)
    expect((await as(token).get('/api/v1/timelines/home')).status).toBe(422)
  })
})

describe('POST /oauth/token', () => {
  it.each(['password', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'POST /oauth/token refuses the grant %s [T-701]',
    async (grant_type) => {
      const client = await registerClient()
      const login = { username: 'alice@mail.test', password: 'long enough' }
      const answer = await askForToken(client, { grant_type, ...login })
      expect(answer).toMatchObject(refusal(400, 'unsupported_grant_type'))
    },
  )

  it('accepts client credentials by HTTP Basic as well [T-702]', async () => {
    const client = await registerClient()
    const basic = (secret: string) => `Basic ${btoa(`${client.clientId}:${secret}`)}`
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const call = (authorization: string) =>
      anonymous.post('/oauth/token', body, { headers: { authorization } })
    expect((await call(basic(client.clientSecret))).status).toBe(200)
    expect(await call(basic('wrong'))).toMatchObject(refusal(401, 'invalid_client'))
    expect(await call(`Basic ${btoa('no colon')}`)).toMatchObject(refusal(401, 'invalid_client'))
  })

  it('reads form, multipart and JSON alike', async () => {
    const client = await registerClient()
    const params = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }
    const form = new FormData()
    for (const [name, value] of Object.entries(params)) form.set(name, value)
    const answers = [
      await anonymous.post('/oauth/token', params),
      await anonymous.post('/oauth/token', new URLSearchParams(params)),
      await anonymous.post('/oauth/token', form),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it.each<[string, string]>([
    ['lists', '{"grant_type":["client_credentials"]}'],
    ['objects', '{"grant_type":"client_credentials","client_id":{"a":1}}'],
    ['broken JSON', '{"grant_type":'],
    ['a list as body', '[]'],
    ['a prototype', '{"__proto__":{"grant_type":"client_credentials"}}'],
  ])('answers %s with 4xx', async (_name, body) => {
    const answer = await anonymous.post('/oauth/token', body, {
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  it('POST /oauth/token is open to browsers of any origin', async () => {
    const request = new Request('https://fieldfare.test/oauth/token', {
      method: 'OPTIONS',
      headers: { origin: 'https://client.test', 'access-control-request-method': 'POST' },
    })
    const { response } = await fetchApp(request)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('/oauth/applications', () => {
  it.each(['/oauth/applications', '/oauth/applications/new', '/oauth/applications/1'])(
    '%s is forbidden to everybody [T-703]',
    async (path) => {
      const answers = [
        await anonymous.get(path),
        await anonymous.post(path, {}),
        await anonymous.delete(path),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    },
  )
})
