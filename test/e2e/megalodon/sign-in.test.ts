import { beforeAll, describe, expect, it } from 'vitest'
import { megalodonFailure, megalodonOf } from '../support/megalodon'
import { authorize, authorizeUrl, newMember, signInTo, signUp } from '../support/sign-in'
import { type Page, Visitor } from '../support/visitor'

const redirectUri = 'whalebird://oauth'
const scopes = ['read', 'write', 'follow']
const oob = 'urn:ietf:wg:oauth:2.0:oob'

async function register() {
  const app = await megalodonOf(null).registerApp('Whalebird', {
    scopes,
    redirect_uris: `${redirectUri}\n${oob}`,
    website: 'https://whale.example',
  })
  return { id: app.client_id, secret: app.client_secret, address: app.url, name: app.name }
}

/** Authorization address that the client builds, for the given redirect URI. */
function askFor({ id }: { readonly id: string }, redirect: string): string {
  const params = { client_id: id, redirect_uri: redirect, scope: scopes.join(' ') }
  return authorizeUrl({ ...params, response_type: 'code' })
}

function codeFrom(page: Page): string {
  const code = page.url.searchParams.get('code')
  if (code === null) throw new Error(`No code, but ${page.url.href}: ${page.text}`)
  return code
}

describe('signing in with megalodon', () => {
  let app: Awaited<ReturnType<typeof register>>

  // A single application for all tests here: the client cannot come from another address each time.
  beforeAll(async () => {
    app = await register()
  })

  async function signedIn() {
    const visitor = new Visitor()
    const member = await signUp(visitor)
    const page = await authorize(visitor, member, askFor(app, redirectUri))
    const token = await megalodonOf(null).fetchAccessToken(app.id, app.secret, codeFrom(page), redirectUri)
    return { visitor, member, page, token }
  }

  it('leads through the pages into an app with its own address scheme', async () => {
    const { member, page, token } = await signedIn()
    expect(page.url.href.startsWith('whalebird://oauth?code=')).toBe(true)
    expect(token).toMatchObject({ token_type: 'Bearer', scope: scopes.join(' ') })
    const me = await megalodonOf({ token: token.access_token }).verifyAccountCredentials()
    expect(me.data).toMatchObject({ username: member.username, source: { privacy: 'public' } })
  })

  it('opens the address that the client created', async () => {
    expect(app.name).toBe('Whalebird')
    const page = await new Visitor().open(String(app.address))
    expect(page.url.pathname).toMatch(/^\/(auth\/sign_in|oauth\/authorize)$/)
    expect(page.status).toBeLessThan(500)
  })

  it('shows a code to copy', async () => {
    const visitor = new Visitor()
    const member = await signUp(visitor)
    const page = await authorize(visitor, member, askFor(app, oob))
    const code = /<code[^>]*>([^<]+)</.exec(page.html)?.[1] ?? 'no code'
    const token = await megalodonOf(null).fetchAccessToken(app.id, app.secret, code, oob)
    const me = await megalodonOf({ token: token.access_token }).verifyAccountCredentials()
    expect(me.data.username).toBe(member.username)
  })

  it('returns with access_denied', async () => {
    const visitor = new Visitor()
    const member = await signUp(visitor)
    const consent = await signInTo(visitor, member, askFor(app, redirectUri))
    const after = await visitor.submit(consent, '/oauth/authorize', { decision: 'deny' })
    expect(after.url.protocol).toBe('whalebird:')
    expect(after.url.searchParams.get('error')).toBe('access_denied')
  })

  it('ends with the revocation of the token', async () => {
    const { token } = await signedIn()
    const client = megalodonOf({ token: token.access_token })
    expect((await client.verifyAppCredentials()).data).toMatchObject({ name: 'Whalebird' })
    const revoked = await client.revokeToken(app.id, app.secret, token.access_token)
    expect([revoked.status, revoked.data]).toEqual([200, {}])
    expect(await megalodonFailure(client.verifyAccountCredentials())).toEqual({
      status: 401,
      error: 'The access token is invalid',
    })
  })

  it('refuses wrong keys and used codes with OAuth’s errors', async () => {
    const { page } = await signedIn()
    const client = megalodonOf(null)
    const used = client.fetchAccessToken(app.id, app.secret, codeFrom(page), redirectUri)
    expect(await megalodonFailure(used)).toEqual({
      status: 400,
      error: 'invalid_grant',
      error_description: expect.any(String),
    })
    const wrong = client.fetchAccessToken(app.id, 'wrong', codeFrom(page), redirectUri)
    expect(await megalodonFailure(wrong)).toMatchObject({ status: 401, error: 'invalid_client' })
    const refresh = client.refreshToken(app.id, app.secret, 'nothing')
    expect(await megalodonFailure(refresh)).toMatchObject({ status: 400, error: 'unsupported_grant_type' })
  })

  it('refuses to sign users up without an app token', async () => {
    const { username, email, password } = newMember()
    const call = megalodonOf(null).registerAccount(username, email, password, true, 'en')
    expect((await megalodonFailure(call)).status).toBe(401)
  })
})
