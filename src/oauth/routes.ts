import { type Context, Hono } from 'hono'
import { execute } from '../db/query'
import { type ApplicationRow, findApplication, isClientSecretValid } from '../domain/sessions/applications'
import { admitAnonymous } from '../domain/sessions/flood'
import type { IssuedToken } from '../domain/sessions/issue-token'
import { covers, parseScopes } from '../domain/sessions/scopes'
import { findToken, redeemCode, revokeToken, tokenForApplication } from '../domain/sessions/tokens'
import { AppError, BadRequest, Forbidden } from '../errors'
import { clientAddress } from '../lib/network'
import { readParams } from '../lib/params'
import type { AppEnv } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { presentToken } from '../view/present/oauth'

/** Endpoints that applications call themselves. The pages users see on the way are in web/. */
export function oauthRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const path of ['/oauth/token', '/oauth/revoke'])
    app.use(path, async (c, next) => {
      await admitAnonymous(c.get('ctx'), clientAddress(c.req.raw.headers))
      await next()
    })
  app.post('/oauth/token', async (c) => {
    const ctx = c.get('ctx')
    return uncached(c, presentToken(await answerGrant(ctx, await readClientRequest(ctx, c.req.raw))))
  })
  app.post('/oauth/revoke', async (c) => {
    const ctx = c.get('ctx')
    await revoke(ctx, await readClientRequest(ctx, c.req.raw))
    return uncached(c, {})
  })
  // Doorkeeper's pages for managing applications; Mastodon disables them as well.
  app.all('/oauth/applications', refuse)
  app.all('/oauth/applications/*', refuse)
  return app
}

function uncached(c: Context<AppEnv>, body: object): Response {
  return c.json(body, 200, { 'Cache-Control': 'no-store', Pragma: 'no-cache' })
}

function refuse(): never {
  throw new Forbidden()
}

async function answerGrant(ctx: Ctx, request: ClientRequest): Promise<IssuedToken> {
  const grant = request.param('grant_type')
  if (grant === '') throw missingParameter('grant_type')
  // The password grant is not supported: an application never sees a password.
  if (grant !== 'authorization_code' && grant !== 'client_credentials') throw unsupportedGrant()
  const application = await authenticateClient(ctx, request)
  return grant === 'authorization_code'
    ? exchangeCode(ctx, application, request)
    : issueClientCredentials(ctx, application, request)
}

/** Ignores `scope`: the user has decided it. */
function exchangeCode(ctx: Ctx, application: ApplicationRow, request: ClientRequest): Promise<IssuedToken> {
  const code = request.param('code')
  const redirectUri = request.param('redirect_uri')
  if (code === '') throw missingParameter('code')
  if (redirectUri === '') throw missingParameter('redirect_uri')
  const codeVerifier = request.param('code_verifier')
  return redeemCode(ctx, application, { code, redirectUri, codeVerifier }, invalidGrant())
}

async function issueClientCredentials(
  ctx: Ctx,
  application: ApplicationRow,
  request: ClientRequest,
): Promise<IssuedToken> {
  const requestedScopes = parseScopes(request.param('scope'))
  if (requestedScopes === null) throw invalidScope()
  const scopes = requestedScopes.length === 0 ? (['read'] as const) : requestedScopes
  if (!covers(application.scopes.split(' '), scopes)) throw invalidScope()
  return tokenForApplication(ctx, application, { scopes, clientSecret: request.clientSecret })
}

/** RFC 7009. Any holder of a token may revoke it, naming its client; a secret that is sent must be right. */
async function revoke(ctx: Ctx, request: ClientRequest): Promise<void> {
  const accessToken = request.param('token')
  if (accessToken === '') throw missingParameter('token')
  const found = await findToken(ctx, accessToken)
  if (request.clientSecret !== '') {
    const application = await authenticateClient(ctx, request)
    if (found !== null && found.token.applicationId !== application.id) throw unauthorizedClient()
  } else if (found !== null && found.clientId !== request.clientId) throw unauthorizedClient()
  if (found !== null) await revokeToken(ctx, found.token)
}

/** A request to the token or revocation endpoint: its parameters as texts, with the client's credentials. */
interface ClientRequest {
  readonly param: (name: string) => string
  readonly clientId: string
  /** Empty if the client sent none. */
  readonly clientSecret: string
}

/** Reads body and query, and the credentials from the Authorization header or the body. */
async function readClientRequest(ctx: Ctx, request: Request): Promise<ClientRequest> {
  const params = await readParams(ctx.bodies, request, { kind: 'stranger' })
  const param = (name: string) => {
    const sent = Object.hasOwn(params, name) ? params[name] : ''
    if (typeof sent === 'string') return sent
    if (sent === null || sent === undefined) return ''
    throw malformedRequest()
  }
  const basic = basicCredentials(request.headers.get('authorization'))
  const clientId = basic?.id ?? param('client_id')
  return { param, clientId, clientSecret: basic?.secret ?? param('client_secret') }
}

/** RFC 6749, 2.3.1: form-encoded id and secret, joined by a colon, in base64. */
function basicCredentials(header: string | null): { readonly id: string; readonly secret: string } | null {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const text = decoded(encoded)
  const colon = text.indexOf(':')
  if (colon < 0) throw invalidClient()
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) }
}

function decoded(base64: string): string {
  try {
    return atob(base64)
  } catch (cause) {
    throw new BadRequest('no_base64', {}, cause)
  }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? ''
}

/** The client, authenticated by its secret; `invalid_client` otherwise. */
async function authenticateClient(ctx: Ctx, request: ClientRequest): Promise<ApplicationRow> {
  if (request.clientId === '') throw invalidClient()
  const application = await execute(ctx.db, findApplication(ctx, request.clientId))
  if (application === null || !(await isClientSecretValid(application, request.clientSecret)))
    throw invalidClient()
  return application
}

/** An error of RFC 6749, 5.2: a code for programs and a sentence for developers. */
export class OAuthError extends AppError {
  readonly name = 'OAuthError'
  readonly status: 400 | 401 | 403
  readonly #description: string

  constructor(status: 400 | 401 | 403, error: string, description: string) {
    super('oauth_error', { error })
    this.status = status
    this.#description = description
  }

  override get extra() {
    return { error_description: this.#description }
  }

  override get headers(): Readonly<Record<string, string>> {
    const uncached = { 'Cache-Control': 'no-store' }
    return this.status === 401 ? { ...uncached, 'WWW-Authenticate': 'Basic realm="Fieldfare"' } : uncached
  }
}

/** A required parameter is missing. */
const missingParameter = (what: string) =>
  new OAuthError(400, 'invalid_request', `Missing required parameter: ${what}.`)

/** A parameter is not a text. */
const malformedRequest = () =>
  new OAuthError(
    400,
    'invalid_request',
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  )

/** A single error for every failure of client authentication. */
const invalidClient = () =>
  new OAuthError(
    401,
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  )

/** A single error for every failure of a code, so that trying reveals nothing. */
const invalidGrant = () =>
  new OAuthError(
    400,
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  )

const invalidScope = () =>
  new OAuthError(400, 'invalid_scope', 'The requested scope is invalid, unknown, or malformed.')

const unsupportedGrant = () =>
  new OAuthError(
    400,
    'unsupported_grant_type',
    'The authorization grant type is not supported by the authorization server.',
  )

const unauthorizedClient = () =>
  new OAuthError(403, 'unauthorized_client', 'You are not authorized to revoke this token')
