import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { execute } from '../db/query'
import type { FileRef } from '../db/values'
import { anonymousViewer, viewerByToken } from '../domain/core/viewer'
import { visibleAttachment } from '../domain/media/find'
import { type Caller, hashToken, mayPost, readAsCaller } from '../domain/sessions/find'
import { admitForFile } from '../domain/sessions/flood'
import { grants } from '../domain/sessions/scopes'
import { NotFound } from '../errors'
import type { AppEnv } from '../ports/app-env'
import { clientIp } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { fileUrl } from '../view/urls'
import { serveFile } from './files'
import { servePlaceholder } from './placeholder'
import { serveRemote } from './proxy'

const openToAll = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD'],
  allowHeaders: ['Range', 'If-None-Match', 'If-Range'],
  exposeHeaders: ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag'],
  maxAge: 86_400,
})

/** Whether `path` is the path of a file, under either prefix. */
export function isFilePath(path: string): boolean {
  return path.startsWith('/media/') || path.startsWith('/media_proxy/')
}

/** Stored files, and Mastodon's older attachment URLs, which redirect to the file. */
export function mediaRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use('/media/*', openToAll)
  app.get('/media/:id{[0-9]+}', async (c) => {
    const ctx = c.get('ctx')
    const found = await execute(ctx.db, visibleAttachment(ctx, anonymousViewer, Number(c.req.param('id'))))
    return redirectTo(ctx, found?.file)
  })
  app.get('/media/proxy/:mac{[\\w-]+}/:owner{[0-9a-z]+}/:url{[\\w-]+}', (c) => {
    const { mac, owner, url } = c.req.param()
    const ctx = c.get('ctx')
    return serveRemote(ctx, ctx.config.mediaProxy.fileOf(mac, owner, url), c.req.raw)
  })
  app.get('/media/field/:size/:name{[\\w-]+\\.png}', (c) => {
    const { size, name } = c.req.param()
    return servePlaceholder(size, name.slice(0, -'.png'.length))
  })
  app.get('/media/:key{.+}', (c) => serveFile(c.get('ctx'), c.req.param('key'), c.req.raw))
  app.get('/media_proxy/:id{[0-9]+}', async (c) => {
    const ctx = c.get('ctx')
    const found = await attachmentFor(ctx, c.req.raw, Number(c.req.param('id')))
    return redirectTo(ctx, found?.file)
  })
  app.get('/media_proxy/:id{[0-9]+}/small', async (c) => {
    const ctx = c.get('ctx')
    const found = await attachmentFor(ctx, c.req.raw, Number(c.req.param('id')))
    return redirectTo(ctx, found?.preview ?? found?.file)
  })
  return app
}

/**
 * Middleware that serves only files on a separate media host, if it is routed to this Worker: pages and API must not
 * be reachable under an origin with user uploads.
 */
export const mediaHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  const own = c.get('ctx').config.mediaHost
  if (own === null) return next()
  const { host, pathname } = new URL(c.req.url)
  if (host !== own) return next()
  await admitForFile(c.get('ctx'), clientIp(c))
  return openToAll(c, async () => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') throw new NotFound()
    c.res = await serveFile(c.get('ctx'), pathname.slice(1), c.req.raw)
  })
}

/** The attachment, if it is visible to the holder of the request's token or, without a known one, anonymously. */
async function attachmentFor(ctx: Ctx, request: Request, id: number) {
  const visibleToAll = () => execute(ctx.db, visibleAttachment(ctx, anonymousViewer, id))
  const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (token === undefined) return visibleToAll()
  const hash = await hashToken(token)
  const read = await readAsCaller(
    ctx,
    { kind: 'token', hash },
    visibleAttachment(ctx, viewerByToken(hash), id),
  )
  if (read === 'unknown') return visibleToAll()
  if (read === 'revoked') return null
  const [caller, found] = read
  return mayReadStatuses(caller) ? found : null
}

function mayReadStatuses({ scopes, person }: Caller): boolean {
  return grants(scopes, 'read:statuses') && (person === null || mayPost(person))
}

/** Never cached: a status's visibility changes, and the response depends on the caller. */
function redirectTo({ config }: Ctx, file: FileRef | undefined): Response {
  if (file === undefined) throw new NotFound()
  return new Response(null, {
    status: 302,
    headers: { Location: fileUrl(config, file, null), 'Cache-Control': 'private, no-store' },
  })
}
