import { type Context, Hono } from 'hono'
import { tokenForApplication } from '../domain/sessions/app-tokens'
import type { ApplicationRow } from '../domain/sessions/applications'
import { admitAnonymous } from '../domain/sessions/flood'
import type { IssuedToken } from '../domain/sessions/issue-token'
import { covers, parseScopes } from '../domain/sessions/scopes'
import { findToken, redeemCode, revokeToken } from '../domain/sessions/tokens'
import { Forbidden } from '../errors'
import { clientAddress } from '../lib/network'
import type { AppEnv } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { presentToken } from '../view/present/oauth'
import { authenticateClient, type ClientRequest, readClientRequest } from './client'
import { invalidGrant, invalidScope, missingParameter, unauthorizedClient, unsupportedGrant } from './errors'

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
