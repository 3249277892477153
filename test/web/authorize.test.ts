import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { applications } from '../../src/db/schema'
import { sha256 } from '../../src/lib/secrets'
import { as } from '../support/as'
import { Browser, hiddenFields, textOf } from '../support/browser'
import { givenMember, password, signedIn } from '../support/members'
import { type Client, exchange, registerClient, tokenIn, verifier } from '../support/oauth'
import { context } from '../support/test-app'

type Params = Readonly<Record<string, string>>

function authorizePath(client: Client, more: Params = {}): string {
  const params = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: 'read write',
    ...more,
  })
  return `/oauth/authorize?${params}`
}

/** Opens the consent page and answers it. */
function decide(browser: Browser, path: string, decision: 'authorize' | 'deny') {
  return browser.fill(path, { decision }, { action: '/oauth/authorize' })
}

const answerIn = (location: string | null) => Object.fromEntries(new URL(location ?? 'about:').searchParams)

describe('GET /oauth/authorize', () => {
  it('redirects a signed-out user to sign-in, and back to the same address [T-752]', async () => {
    const [client, alice] = [await registerClient({ name: 'Finch' }), await givenMember()]
    const browser = new Browser()
    const path = authorizePath(client, { state: 'a b&c' })
    const start = await browser.get(path)
    expect(start.status).toBe(302)
    const signInPage = await browser.get(start.location ?? '')
    expect(textOf(signInPage.html)).toContain('to continue to Finch')
    const after = await browser.fill(start.location ?? '', { username: alice.username, password })
    expect(after.location).toBe(path)
  })

  it('asks for consent, without caching, framing and opener policy [T-753]', async () => {
    const client = await registerClient({ name: 'Finch' })
    const { browser } = await signedIn()
    const page = await browser.get(authorizePath(client))
    expect(page.status).toBe(200)
    expect(textOf(page.html)).toContain('Let Finch use your account?')
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('cross-origin-opener-policy')).toBeNull()
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; manifest-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(page.costs.trips).toBeLessThanOrEqual(3)
  })

  it('shows the name of the app as text, whatever it contains', async () => {
    const client = await registerClient({ name: '<script>alert(1)</script>"' })
    const { browser } = await signedIn()
    const page = await browser.get(authorizePath(client, { state: '"><img src=x>' }))
    expect(page.html).not.toContain('<script')
    expect(page.html).not.toContain('<img src=x')
  })

  it('redirects at once with a code where the same was allowed before, unless force_login is set [T-754]', async () => {
    const client = await registerClient()
    const { browser } = await signedIn()
    const first = await decide(browser, authorizePath(client), 'authorize')
    await exchange(client, answerIn(first.location)['code'] ?? '')
    const again = await browser.get(authorizePath(client, { state: 'x' }))
    expect(again.status).toBe(302)
    expect(answerIn(again.location)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state: 'x' })
    const narrower = await browser.get(authorizePath(client, { scope: 'read:statuses' }))
    expect(narrower.status).toBe(302)
    for (const force_login of ['true', '1'])
      expect((await browser.get(authorizePath(client, { force_login }))).status).toBe(200)
    expect((await browser.get(authorizePath(client, { force_login: 'false' }))).status).toBe(302)
  })

  it('asks again for additional scopes', async () => {
    const client = await registerClient()
    const { browser } = await signedIn()
    const first = await decide(browser, authorizePath(client, { scope: 'read' }), 'authorize')
    await exchange(client, answerIn(first.location)['code'] ?? '')
    expect((await browser.get(authorizePath(client, { scope: 'read write' }))).status).toBe(200)
  })

  it.each<[string, Params]>([
    ['another redirect URI', { redirect_uri: 'https://evil.test/' }],
    ['a redirect URI that only begins alike', { redirect_uri: 'https://client.test/back/../evil' }],
    ['a redirect URI with a query', { redirect_uri: 'https://client.test/back?x=1' }],
    ['no redirect URI', { redirect_uri: '' }],
    ['a javascript: URI', { redirect_uri: 'javascript:alert(1)' }],
    ['out of band, unregistered', { redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: '' }],
  ])('shows %s as an error without a redirect [T-755]', async (_name, more) => {
    const client = await registerClient()
    const { browser } = await signedIn()
    for (const someone of [browser, new Browser()]) {
      const page = await someone.get(authorizePath(client, more))
      expect([400, 401]).toContain(page.status)
      expect(page.location).toBeNull()
      expect(page.html).toContain('The app could not be authorised')
    }
  })

  it.each(['file:///etc/passwd', 'filesystem:https://a.test/b', 'https://known.test@evil.test/'])(
    'redirects to no %s, even if it was once registered',
    async (redirectUri) => {
      const client = { ...(await registerClient()), redirectUri }
      const { db } = context()
      await db
        .update(applications)
        .set({ redirectUris: [redirectUri] })
        .where(eq(applications.id, client.id))
      const { browser } = await signedIn()
      const page = await browser.get(authorizePath(client))
      expect(page).toMatchObject({ status: 400, location: null })
      expect(page.html).toContain('invalid_redirect_uri')
    },
  )

  it.each([
    ['token', 'unsupported_response_type'],
    ['code token', 'unsupported_response_type'],
    ['', 'invalid_request'],
  ])('shows the response type "%s" as an error to any visitor, without a redirect', async (type, error) => {
    const client = await registerClient()
    const { browser } = await signedIn()
    for (const someone of [browser, new Browser()]) {
      const page = await someone.get(authorizePath(client, { response_type: type, state: 's' }))
      expect(page).toMatchObject({ status: 400, location: null })
      expect(page.html).toContain('The app could not be authorised')
      expect(page.html).toContain(error)
    }
    const fields = hiddenFields((await browser.get(authorizePath(client))).html, '/oauth/authorize')
    const answer = { ...fields, response_type: type, decision: 'authorize' }
    expect(await browser.post('/oauth/authorize', answer)).toMatchObject({ status: 400, location: null })
  })

  it.each<[string, Params, string]>([
    ['a scope beyond the app', { scope: 'read push' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'fly' }, 'invalid_scope'],
    ['an admin scope', { scope: 'admin:read' }, 'invalid_scope'],
    [
      'a plain challenge',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      'invalid_code_challenge_method',
    ],
    ['a challenge without a method', { code_challenge: 'x'.repeat(43) }, 'invalid_code_challenge_method'],
    [
      'a challenge no verifier can meet',
      { code_challenge: 'x', code_challenge_method: 'S256' },
      'invalid_request',
    ],
    ['an unknown response mode', { response_mode: 'web_message' }, 'unsupported_response_mode'],
  ])(
    'shows %s to a member, who can return to the app with the error and the state [T-756]',
    async (_name, more, error) => {
      const client = await registerClient({ scopes: 'read write' })
      const { browser } = await signedIn()
      const page = await browser.get(authorizePath(client, { state: 's', ...more }))
      expect([page.status, page.location, page.headers.get('refresh')]).toEqual([400, null, null])
      const back = /<a href="([^"]+)" rel="nofollow noopener noreferrer">/.exec(page.html)?.[1] ?? ''
      const url = back.replaceAll('&amp;', '&')
      expect(url.startsWith(`${client.redirectUri}?`)).toBe(true)
      expect(answerIn(url)).toEqual({ error, error_description: expect.any(String), state: 's' })
      const stranger = await new Browser().get(authorizePath(client, more))
      expect(stranger.location).toMatch(/^\/auth\/sign_in/)
    },
  )

  it('stops users whose address is unconfirmed or who wait for approval', async () => {
    const client = await registerClient()
    const unconfirmed = await signedIn({ user: { confirmedAt: null } })
    const waiting = await signedIn({ user: { approved: false } })
    const mail = await unconfirmed.browser.get(authorizePath(client))
    const approval = await waiting.browser.get(authorizePath(client))
    expect([mail.status, approval.status]).toEqual([403, 403])
    expect(textOf(mail.html)).toContain('Confirm your address')
    expect(textOf(approval.html)).toContain('Waiting for approval')
  })
})

describe('a decision about authorization', () => {
  it('allowing redirects with a code and the unchanged state, and the code is exchanged for a token [T-757]', async () => {
    const client = await registerClient()
    const { browser, member } = await signedIn()
    const state = 'ü "x" %20+&=/?#'
    const page = await decide(browser, authorizePath(client, { state }), 'authorize')
    expect(page.status).toBe(302)
    const { code = '', ...rest } = answerIn(page.location)
    expect(rest).toEqual({ state })
    const token = tokenIn((await exchange(client, code)).body)
    const answer = await as(token).get('/api/v1/accounts/verify_credentials')
    expect(answer.body).toMatchObject({ username: member.username })
    expect(page.costs.trips).toBeLessThanOrEqual(3)
  })

  it('denying redirects with access_denied and the state, by POST and by DELETE [T-758]', async () => {
    const client = await registerClient()
    const { browser } = await signedIn()
    const path = authorizePath(client, { state: 's' })
    const posted = await decide(browser, path, 'deny')
    const fields = hiddenFields((await browser.get(path)).html, '/oauth/authorize')
    const deleted = await browser.delete('/oauth/authorize', fields)
    for (const page of [posted, deleted]) {
      expect(page.status).toBe(302)
      expect(answerIn(page.location)).toMatchObject({ error: 'access_denied', state: 's' })
    }
  })

  it('keeps the code challenge for the exchange', async () => {
    const client = await registerClient()
    const { browser } = await signedIn()
    const challenge = { code_challenge: await sha256(verifier), code_challenge_method: 'S256' }
    const codeOf = async () => {
      const page = await decide(
        browser,
        authorizePath(client, { ...challenge, force_login: 'true' }),
        'authorize',
      )
      return answerIn(page.location)['code'] ?? ''
    }
    expect((await exchange(client, await codeOf())).status).toBe(400)
    expect((await exchange(client, await codeOf(), { code_verifier: verifier })).status).toBe(200)
  })

  it('refuses scopes added between page and decision', async () => {
    const client = await registerClient({ scopes: 'read' })
    const { browser } = await signedIn()
    const fields = hiddenFields(
      (await browser.get(authorizePath(client, { scope: 'read' }))).html,
      '/oauth/authorize',
    )
    const wider = await browser.post('/oauth/authorize', {
      ...fields,
      scope: 'read write',
      decision: 'authorize',
    })
    const elsewhere = await browser.post('/oauth/authorize', {
      ...fields,
      redirect_uri: 'https://evil.test/',
      decision: 'authorize',
    })
    expect(answerIn(wider.location)).toMatchObject({ error: 'invalid_scope' })
    expect(elsewhere).toMatchObject({ status: 400, location: null })
  })

  it('ignores a decision sent by a page of another site', async () => {
    const client = await registerClient()
    const { browser } = await signedIn()
    const path = authorizePath(client)
    const fields = hiddenFields((await browser.get(path)).html, '/oauth/authorize')
    const headers = { origin: 'https://client.test' }
    const page = await browser.post('/oauth/authorize', { ...fields, decision: 'authorize' }, { headers })
    const { csrf_token: _token, ...bare } = fields
    const tokenless = await browser.post('/oauth/authorize', { ...bare, decision: 'authorize' })
    expect([page.status, tokenless.status]).toEqual([403, 422])
  })

  it('asks a user who signed out in the meantime to sign in first', async () => {
    const client = await registerClient()
    const { browser, member } = await signedIn()
    const path = authorizePath(client, { state: 's' })
    const fields = hiddenFields((await browser.get(path)).html, '/oauth/authorize')
    await browser.fill('/auth/sign_out', {})
    const stale = await browser.post('/oauth/authorize', { ...fields, decision: 'authorize' })
    expect(stale.status).toBe(422)
    const fresh = new Browser()
    await fresh.signIn(member.username, password)
    expect((await fresh.get(path)).status).toBe(200)
  })

  it('redirects to a custom scheme, and to an address that has a query', async () => {
    const { browser } = await signedIn()
    for (const redirectUri of ['com.example.finch:/back', 'finch://back', 'https://client.test/?a=b']) {
      const client = await registerClient({ redirectUri })
      const { location } = await decide(browser, authorizePath(client), 'authorize')
      expect(location?.startsWith(redirectUri)).toBe(true)
      expect(location).toMatch(/[?&]code=[\w-]{43}$/)
    }
  })

  it('answers in the fragment, and as a form', async () => {
    const client = await registerClient()
    const { browser } = await signedIn()
    const more = { state: 's', force_login: 'true' }
    const fragment = await decide(
      browser,
      authorizePath(client, { ...more, response_mode: 'fragment' }),
      'authorize',
    )
    expect(fragment.location).toMatch(/^https:\/\/client\.test\/back#code=[\w-]{43}&state=s$/)
    const form = await decide(
      browser,
      authorizePath(client, { ...more, response_mode: 'form_post' }),
      'authorize',
    )
    expect(form.status).toBe(200)
    expect(hiddenFields(form.html, client.redirectUri)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 's',
    })
  })
})

describe('out of band', () => {
  const redirectUri = 'urn:ietf:wg:oauth:2.0:oob'

  it('shows the code to its user while it is valid [T-759]', async () => {
    const client = await registerClient({ redirectUri, name: 'Finch' })
    const { browser } = await signedIn()
    const { browser: other } = await signedIn()
    const { location } = await decide(browser, authorizePath(client), 'authorize')
    expect(location).toMatch(/^\/oauth\/authorize\/native\?code=[\w-]{43}$/)
    const code = location?.split('=')[1] ?? ''
    const page = await browser.get(location ?? '')
    expect(textOf(page.html)).toContain(`Paste it into Finch within ten minutes. ${code}`)
    expect((await other.get(location ?? '')).status).toBe(404)
    expect((await new Browser().get(location ?? '')).location).toMatch(/^\/auth\/sign_in/)
    expect((await exchange(client, code)).status).toBe(200)
    expect((await browser.get(location ?? '')).status).toBe(404)
  })

  it('shows no text from the address', async () => {
    const { browser } = await signedIn()
    const page = await browser.get('/oauth/authorize/native?code=Call+0800+12345')
    expect(page.status).toBe(404)
    expect(page.html).not.toContain('0800')
  })

  it('shows errors instead of redirecting', async () => {
    const client = await registerClient({ redirectUri, scopes: 'read' })
    const { browser } = await signedIn()
    const page = await browser.get(authorizePath(client, { scope: 'write' }))
    expect(page.status).toBe(400)
    expect(page.html).toContain('invalid_scope')
  })
})

describe('/oauth/authorized_applications', () => {
  it('redirects a signed-out user to sign-in [T-760]', async () => {
    const page = await new Browser().get('/oauth/authorized_applications')
    expect(page.location).toBe('/auth/sign_in?return_to=%2Foauth%2Fauthorized_applications')
  })

  it('lists the apps of the user, and revokes one with all its tokens and codes [T-761]', async () => {
    const [client, other] = [await registerClient({ name: 'Finch' }), await registerClient({ name: 'Wren' })]
    const { browser } = await signedIn()
    const allow = async (app: Client) =>
      answerIn((await decide(browser, authorizePath(app, { force_login: 'true' }), 'authorize')).location)[
        'code'
      ] ?? ''
    const token = tokenIn((await exchange(client, await allow(client))).body)
    const kept = tokenIn((await exchange(other, await allow(other))).body)
    const pending = await allow(client)
    const page = await browser.get('/oauth/authorized_applications')
    expect(textOf(page.html)).toContain('Finch')
    const path = `/oauth/authorized_applications/${client.id}/revoke`
    const after = await browser.post(path, hiddenFields(page.html, path))
    expect(after.location).toBe('/oauth/authorized_applications?done=application')
    expect(textOf((await browser.get('/oauth/authorized_applications')).html)).not.toContain('Finch')
    expect((await as(token).get('/api/v1/timelines/home')).status).toBe(401)
    expect((await as(kept).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await exchange(client, pending)).status).toBe(400)
  })

  it('accepts DELETE as well, and only for the own account [T-762]', async () => {
    const client = await registerClient()
    const [alice, bob] = [await signedIn(), await signedIn()]
    const tokenOf = async (browser: Browser) =>
      tokenIn(
        (
          await exchange(
            client,
            answerIn((await decide(browser, authorizePath(client), 'authorize')).location)['code'] ?? '',
          )
        ).body,
      )
    const [hers, his] = [await tokenOf(alice.browser), await tokenOf(bob.browser)]
    const { csrf_token = '' } = hiddenFields((await alice.browser.get('/auth/edit')).html, '/auth/sign_out')
    await alice.browser.delete(`/oauth/authorized_applications/${client.id}`, { csrf_token })
    expect((await as(hers).get('/api/v1/timelines/home')).status).toBe(401)
    expect((await as(his).get('/api/v1/timelines/home')).status).toBe(200)
  })

  it('/oauth/authorized_applications ignores an invalid id', async () => {
    const { browser } = await signedIn()
    const { csrf_token = '' } = hiddenFields((await browser.get('/auth/edit')).html, '/auth/sign_out')
    const page = await browser.post('/oauth/authorized_applications/nonsense/revoke', { csrf_token })
    expect(page.status).toBe(303)
  })
})
