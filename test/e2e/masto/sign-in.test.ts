import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { mastoAnonymous, mastoFailure, mastoOAuth, mastoOf } from '../support/masto'
import { authorize, authorizeUrl, type Member, signInTo, signUp } from '../support/sign-in'
import { type Page, Visitor } from '../support/visitor'

const redirectUri = 'https://hedge.example/callback?from=here'
const scopes = 'read write follow push'

async function register() {
  return mastoAnonymous().v1.apps.create({
    clientName: 'Hedgerow',
    website: 'https://hedge.example',
    redirectUris: redirectUri,
    scopes,
  })
}

type App = Awaited<ReturnType<typeof register>>

/** The client says that a registered application has both; its types leave them open. */
function keysOf({ clientId, clientSecret }: App) {
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
    throw new Error('The application was registered without keys')
  return { clientId, clientSecret }
}

function askFor(app: App, more: Readonly<Record<string, string>> = {}): string {
  const { clientId } = keysOf(app)
  return authorizeUrl({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes,
    ...more,
  })
}

function codeFrom(page: Page): string {
  const code = page.url.searchParams.get('code')
  if (code === null) throw new Error(`No code, but ${page.url.href}: ${page.text}`)
  return code
}

async function exchange(app: App, code: string, more: object = {}) {
  return mastoOAuth().token.create({
    grantType: 'authorization_code',
    ...keysOf(app),
    redirectUri,
    code,
    ...more,
  })
}

describe('signing in with masto', () => {
  let visitor: Visitor
  let member: Member

  beforeAll(async () => {
    visitor = new Visitor()
    member = await signUp(visitor)
  })

  it('leads from registration through sign-in and consent to a working token', async () => {
    const app = await register()
    const stranger = new Visitor()
    const page = await authorize(stranger, member, askFor(app, { state: 'a b&c', force_login: 'false' }))
    expect(page.url.href.startsWith('https://hedge.example/callback?from=here&')).toBe(true)
    expect(page.url.searchParams.get('state')).toBe('a b&c')
    const token = await exchange(app, codeFrom(page))
    expect(token).toMatchObject({ tokenType: 'Bearer', scope: scopes })
    const me = await mastoOf({ token: token.accessToken }).v1.accounts.verifyCredentials()
    expect(me).toMatchObject({ username: member.username, acct: member.username, statusesCount: 0 })
    expect(me.source.privacy).toBe('public')
  })

  it('redirects to the application with access_denied', async () => {
    const consent = await signInTo(visitor, member, askFor(await register(), { state: 's1' }))
    const after = await visitor.submit(consent, '/oauth/authorize', { decision: 'deny' })
    expect(after.url.origin).toBe('https://hedge.example')
    expect(Object.fromEntries(after.url.searchParams)).toMatchObject({ error: 'access_denied', state: 's1' })
  })

  it('shows the code to copy where the application has no address', async () => {
    const oob = 'urn:ietf:wg:oauth:2.0:oob'
    const app = await mastoAnonymous().v1.apps.create({ clientName: 'Shell', redirectUris: oob, scopes })
    const page = await authorize(visitor, member, askFor(app, { redirect_uri: oob }))
    const code = /<code[^>]*>([^<]+)</.exec(page.html)?.[1] ?? 'no code'
    const token = await exchange(app, code, { redirectUri: oob })
    expect(await mastoOf({ token: token.accessToken }).v1.accounts.verifyCredentials()).toMatchObject({
      username: member.username,
    })
  })

  it('accepts a code only with its verifier (PKCE, as Phanpy requests)', async () => {
    const app = await register()
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

    const stolen = codeFrom(await authorize(visitor, member, askFor(app, pkce)))
    const refused = await mastoFailure(exchange(app, stolen, { codeVerifier: 'x'.repeat(43) }))
    expect(refused).toMatchObject({ statusCode: 400, message: 'invalid_grant' })
    expect(refused.description).toEqual(expect.any(String))
    const again = await visitor.open(askFor(app, { ...pkce, force_login: 'true' }))
    const agreed = again.forms.length > 0 ? await authorizeAgain(visitor, again, member) : again
    const token = await exchange(app, codeFrom(agreed), { codeVerifier: verifier })
    expect(token.accessToken).not.toBe('')
  })

  it('ends with the revocation of the token', async () => {
    const app = await register()
    const code = codeFrom(await authorize(visitor, member, askFor(app)))
    const { accessToken: token } = await exchange(app, code)
    await mastoOf({ token }).v1.accounts.verifyCredentials()
    await mastoOAuth().revoke({ ...keysOf(app), token })
    expect(await mastoFailure(mastoOf({ token }).v1.accounts.verifyCredentials())).toMatchObject({
      statusCode: 401,
      message: 'The access token is invalid',
    })
  })

  it('gives a token the requested scopes', async () => {
    const app = await register()
    const page = await authorize(visitor, member, askFor(app, { scope: 'read:accounts' }))
    const { accessToken: token, scope } = await exchange(app, codeFrom(page))
    expect(scope).toBe('read:accounts')
    const client = mastoOf({ token })
    await client.v1.accounts.verifyCredentials()
    expect(await mastoFailure(client.v1.statuses.create({ status: 'No' }))).toMatchObject({
      statusCode: 403,
      message: 'This action is outside the authorized scopes',
    })
  })

  it('explains a missing or wrong token', async () => {
    expect(await mastoFailure(mastoAnonymous().v1.accounts.verifyCredentials())).toMatchObject({
      statusCode: 401,
    })
    const stranger = mastoOf({ token: 'made-up' })
    expect(await mastoFailure(stranger.v1.timelines.home.list())).toMatchObject({
      statusCode: 401,
      message: 'The access token is invalid',
    })
    expect(await stranger.v1.timelines.public.list()).toEqual(expect.any(Array))
  })
})

async function authorizeAgain(
  visitor: Visitor,
  page: Page,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<Page> {
  const consent =
    page.url.pathname === '/auth/sign_in'
      ? await visitor.submit(page, '/auth/sign_in', { username, password })
      : page
  return visitor.submit(consent, '/oauth/authorize', { decision: 'authorize' })
}
