import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { inboxRoutes } from './activitypub/inbox/routes'
import { nodeInfoRoutes } from './activitypub/nodeinfo'
import { documentRoutes } from './activitypub/routes/documents'
import { webFingerRoutes } from './activitypub/routes/webfinger'
import { verifyRequest } from './activitypub/verify-request'
import { apiRoutes } from './api'
import { openApiDocument } from './api/openapi-file'
import { browserSessions } from './browser-sessions'
import { cachedResponses } from './cached-responses'
import { reportBadConfiguration } from './cloudflare/config-cache'
import { assertOwnHost, BadConfiguration } from './config'
import { admitAnonymous, admitForFile, admitNetwork } from './domain/sessions/flood'
import { recordActivity } from './domain/sessions/record-activity'
import { isNetworkBlocked } from './domain/sign-up-blocks/ip-blocks'
import { AppError, Forbidden, NotFound } from './errors'
import { clientAddress } from './lib/network'
import { LiteralRouter, routePath } from './lib/route-path'
import { isFilePath, mediaHost, mediaRoutes } from './media-server/routes'
import { oauthRoutes } from './oauth/routes'
import { passesNetworkBlocks } from './operator/authenticate'
import { healthRoutes, liveRoutes } from './operator/health'
import { metricsRoutes } from './operator/metrics'
import { operatorRoutes } from './operator/routes'
import type { AppContext, AppEnv } from './ports/app-env'
import type { Ctx, Lifetime } from './ports/ctx'
import { streamingRoutes } from './streaming/routes'
import { answerRefusal, renderError, wantsJson } from './web/error-response'
import { feedRoutes } from './web/feeds/routes'
import { showMisconfigured } from './web/misconfigured'
import { appAddressRoutes } from './web/pages/app-addresses'
import { invitationRoutes } from './web/pages/sign-up/page'
import { pageRoutes } from './web/routes'
import { siteDocumentRoutes } from './web/site-documents'
import { cataloguesOf, streamObjects } from './wire'

/** Policy of data responses for programs: denies every capability of a page. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; form-action 'none'"

/**
 * Browser features that no page needs, denied so that injected code cannot use them either. Videos may still go
 * full-screen.
 */
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

/** End of a response. Most requests have no effects afterwards, and set no timer. */
function responseEnd() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let [isAwaited, hasEnded] = [false, false]
  // Deferred to the next task: the response leaves before its effects query the database.
  const settle = () => {
    if (isAwaited && hasEnded) setTimeout(resolve, 0)
  }
  return {
    sent: () => {
      isAwaited = true
      settle()
      return promise
    },
    end: () => {
      hasEnded = true
      settle()
    },
  }
}

/** Builds the Hono app of all edges. `begin` makes the Ctx of a request. */
export function buildApp(begin: (env: Env, lifetime: Lifetime) => Ctx) {
  const literal = new Set<string>()
  const app = new Hono<AppEnv>({
    router: new LiteralRouter(),
    getPath: (request) => routePath(request, literal),
  })
  app.use('*', async (c, next) => {
    const response = responseEnd()
    c.set(
      'ctx',
      begin(c.env, { waitUntil: (work) => c.executionCtx.waitUntil(work), responseSent: response.sent }),
    )
    try {
      // A request that the Worker handed to an object is counted by the Worker.
      if (c.get('ctx').uploads !== null) c.get('ctx').usage.add('requests', 1)
      assertOwnHost(c.get('ctx').config, c.req.url)
      await next()
    } finally {
      response.end()
    }
    addHeaders(c.get('ctx'), c.res.headers)
  })
  app.route('/', liveRoutes())
  app.use('*', networkGate)
  app.use('*', mediaHost)
  // Before the flood gate, so that pages of other origins can read its refusals.
  for (const path of openPaths) app.use(path, open)
  app.route('/', healthRoutes())
  app.use('*', cachedResponses)
  app.use('*', floodGate)
  app.use('/api/*', browserSessions)
  app.get('/api/openapi.json', async (c) => {
    const { staticFiles, config } = c.get('ctx')
    const document = await openApiDocument(staticFiles, config.origin)
    return c.body(document, 200, documentHeaders)
  })
  app.route('/', invitationRoutes())
  app.route(
    '/',
    streamingRoutes({ objects: (c) => streamObjects(c.env, c.get('ctx').usage), afterCall: recordActivity }),
  )
  app.route('/', apiRoutes())
  app.route('/', oauthRoutes())
  app.route('/', nodeInfoRoutes())
  app.route('/', webFingerRoutes())
  app.route('/', feedRoutes())
  app.route('/', siteDocumentRoutes())
  app.route('/', documentRoutes(verifyRequest))
  app.route('/', inboxRoutes())
  app.route('/', metricsRoutes())
  app.route('/', operatorRoutes())
  app.route('/', mediaRoutes())
  app.route('/', appAddressRoutes())
  app.route('/', pageRoutes())
  for (const { path } of app.routes) if (path.endsWith('.json')) literal.add(path)
  app.notFound(async (c) => {
    // The error page reads the server's name.
    if (!wantsJson(c)) await admitAnonymous(c.get('ctx'), clientAddress(c.req.raw.headers))
    return answerFailure(c, new NotFound('no_page'))
  })
  app.onError((failure, c) => {
    if (failure instanceof BadConfiguration) {
      reportBadConfiguration(c.env, failure)
      return showMisconfigured(c, failure, cataloguesOf(c.env))
    }
    if (!(failure instanceof AppError))
      c.get('ctx').log.error('A request failed', { method: c.req.method, path: c.req.path, cause: failure })
    return answerFailure(c, failure)
  })
  return app
}

/** Sets the headers common to all responses. */
export function addHeaders({ clock, config, requestId }: Ctx, headers: Headers): void {
  // The platform sets it for deployed Workers, not for a local instance.
  headers.set('Date', clock.now().toUTCString())
  headers.set('X-Request-Id', requestId)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('Permissions-Policy', deniedFeatures)
  // Two years, as Mastodon, without subdomains: other hosts of the domain are not this server's to decide about.
  if (config.origin.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=63072000')
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', dataPolicy)
}

/** Counts every request for its network; files separately. Requests that prove anonymous are counted again. */
const floodGate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const [ctx, ip] = [c.get('ctx'), clientAddress(c.req.raw.headers)]
  await (isFilePath(c.req.path) ? admitForFile(ctx, ip) : admitNetwork(ctx, ip))
  await next()
}

/** Refuses every request of a network without access, in few bytes, but those that may have to lift the block. */
const networkGate: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isBlocked = await isNetworkBlocked(c.get('ctx'), clientAddress(c.req.raw.headers))
  if (!isBlocked || (await passesNetworkBlocks(c))) return next()
  const { message, status } = new Forbidden()
  return wantsJson(c)
    ? c.json({ error: message }, status, failureHeaders)
    : c.text(message, status, { 'Cache-Control': 'private, no-store' })
}

function answerFailure(c: AppContext, failure: Error): Response | Promise<Response> {
  if (!wantsJson(c)) return renderError(c, failure)
  if (failure instanceof AppError) return answerRefusal(c, failure, failureHeaders)
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
