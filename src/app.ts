import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { inboxRoutes } from './activitypub/inbox/routes'
import { nodeInfoRoutes } from './activitypub/nodeinfo'
import { documentRoutes } from './activitypub/routes/documents'
import { webFingerRoutes } from './activitypub/routes/webfinger'
import { verifyRequest } from './activitypub/verify-request'
import { endpoints } from './api'
import { openApi } from './api/openapi'
import { apiRoutes } from './api/router'
import { assertLoopbackRequest, BadConfiguration } from './config'
import { reportBadConfiguration } from './config-cache'
import { admitAnonymous, admitForFile, admitNetwork } from './domain/sessions/flood'
import { recordActivity } from './domain/sessions/record-activity'
import { AppError, NotFound } from './errors'
import { clientAddress } from './lib/network'
import { routePath } from './lib/route-path'
import { isFilePath, mediaHost, mediaRoutes } from './media-server/routes'
import { oauthRoutes } from './oauth/routes'
import { operatorRoutes } from './operator/routes'
import type { AppContext, AppEnv } from './platform/app-env'
import type { Ctx, Lifetime } from './platform/ports'
import { streamObjects } from './platform/wire'
import { streamPaths } from './streaming/paths'
import { streamingRoutes } from './streaming/routes'
import { renderError, wantsJson } from './web/error-response'
import { healthRoutes } from './web/health'
import { showMisconfigured } from './web/misconfigured'
import { pageRoutes } from './web/routes'
import { feedRoutes } from './web/routes/feeds'
import { invitationRoutes } from './web/routes/sign-up'
import { sessionChecks } from './web/session-checks'

/** Answers carrying data for other programs: denied everything a page could do. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; form-action 'none'"

/** What no page here asks a browser for, so that nothing smuggled into one can. Films may still fill the screen. */
const deniedFeatures = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

const open = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposeHeaders: [
    'Link',
    'X-RateLimit-Reset',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-Request-Id',
    'Mastodon-Async-Refresh',
    'Deprecation',
    'Sunset',
  ],
  maxAge: 86_400,
})

const openPaths = [
  '/api/*',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/userinfo',
  '/.well-known/*',
  '/nodeinfo/*',
  '/:handle{@[^/]+}',
  '/:handle{@[^/]+}/:id',
  '/users/*',
  '/actor/*',
  '/emojis/*',
  '/tags/*',
]

/** All edges on one Hono app. `begin` makes the Ctx of a request. */
export function buildApp(begin: (env: Env, lifetime: Lifetime) => Ctx) {
  const literal = new Set<string>()
  /** The OpenAPI document by origin: made from a thousand schemas, on the first request for it. */
  const documents = new Map<string, string>()
  const app = new Hono<AppEnv>({ getPath: (request) => routePath(request, literal) })
  app.use('*', async (c, next) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    c.set(
      'ctx',
      begin(c.env, { waitUntil: (work) => c.executionCtx.waitUntil(work), responseSent: answered }),
    )
    assertLoopbackRequest(c.get('ctx').config, c.req.url)
    await next()
    // In a turn of its own: the answer leaves before what follows from it asks the database for anything.
    setTimeout(answer, 0)
    addHeaders(c.get('ctx'), c.res.headers)
  })
  app.use('*', mediaHost)
  // Before the gate, so that pages of other sites may read that it refused them.
  for (const path of openPaths) app.use(path, open)
  app.route('/', healthRoutes())
  app.use('*', floodGate)
  app.get('/api/openapi.json', (c) => {
    const { origin } = c.get('ctx').config
    const document = documents.get(origin) ?? JSON.stringify(openApi(endpoints, origin, streamPaths()))
    documents.set(origin, document)
    return c.body(document, 200, documentHeaders)
  })
  app.route('/', sessionChecks())
  app.route('/', invitationRoutes())
  app.route('/', streamingRoutes({ objects: streamObjects, afterCall: recordActivity }))
  app.route(
    '/',
    apiRoutes(endpoints, (ctx, { caller }) => recordActivity(ctx, caller)),
  )
  app.route('/', oauthRoutes())
  app.route('/', nodeInfoRoutes())
  app.route('/', webFingerRoutes())
  app.route('/', feedRoutes())
  app.route('/', documentRoutes(verifyRequest))
  app.route('/', inboxRoutes())
  app.route('/', operatorRoutes())
  app.route('/', mediaRoutes())
  app.route('/', pageRoutes())
  for (const { path } of app.routes) if (path.endsWith('.json')) literal.add(path)
  app.notFound(async (c) => {
    // Its page reads the name of the server.
    if (!wantsJson(c)) await admitAnonymous(c.get('ctx'), clientAddress(c.req.raw.headers))
    return answerFailure(c, new NotFound('The page you are looking for is not here'))
  })
  app.onError((failure, c) => {
    if (failure instanceof BadConfiguration) {
      reportBadConfiguration(c.env, failure)
      return showMisconfigured(c, failure)
    }
    if (!(failure instanceof AppError))
      c.get('ctx').log.error('A request failed', { method: c.req.method, path: c.req.path, cause: failure })
    return answerFailure(c, failure)
  })
  return app
}

/** What every answer says, whichever edge it comes from. */
function addHeaders({ clock, config, requestId }: Ctx, headers: Headers): void {
  // The platform sets it for what is deployed, not for a local instance.
  headers.set('Date', clock.now().toUTCString())
  headers.set('X-Request-Id', requestId)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('Permissions-Policy', deniedFeatures)
  // Two years as Mastodon; other hosts of the domain are not this server's to decide about.
  if (config.origin.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=63072000')
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', dataPolicy)
}

/** Every request counts for the network it comes from; files apart. What proves to be a stranger's is counted again. */
const floodGate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const [ctx, ip] = [c.get('ctx'), clientAddress(c.req.raw.headers)]
  await (isFilePath(c.req.path) ? admitForFile(ctx, ip) : admitNetwork(ctx, ip))
  await next()
}

function answerFailure(c: AppContext, failure: Error): Response | Promise<Response> {
  if (!wantsJson(c)) return renderError(c, failure)
  if (failure instanceof AppError)
    return c.json({ error: failure.message, ...failure.extra }, failure.status, {
      ...failureHeaders,
      ...failure.headers,
    })
  return c.json({ error: 'Something went wrong on our side' }, 500, failureHeaders)
}

const documentHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=3600',
}

const failureHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-store',
}
