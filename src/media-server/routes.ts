import { Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { execute } from '../db/query'
import type { FileRef } from '../db/values'
import { isBackupKey } from '../domain/backups/names'
import { anonymousViewer, viewerByToken } from '../domain/core/viewer'
import { visibleAttachment } from '../domain/media/find'
import { type Caller, hashToken, mayPost, readAsCaller } from '../domain/sessions/find'
import { admitForFile } from '../domain/sessions/flood'
import { grants } from '../domain/sessions/scopes'
import { NotFound } from '../errors'
import { drawPlaceholder } from '../lib/media/placeholder'
import { supportedMimeTypes } from '../lib/media/sniff'
import { allowsRange, contentRange, matchesEtag, parseRange } from '../lib/request-headers'
import { type AppEnv, clientIp } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { isArchiveKey, type StoredFile } from '../ports/files'
import { fileUrl } from '../view/urls'
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

/**
 * The only valid form of a key: folders of plain letters and a name with an extension. Dots for path traversal do not
 * match.
 */
const keyShape = /^(?:[\w-]{1,64}\/){1,6}[\w-]{1,64}\.[a-z0-9]{2,4}$/

const inlineMimeTypes: ReadonlySet<string> = new Set(supportedMimeTypes)

/** CSP for a file opened by itself: the browser's own player works, and no script. */
const filePolicy = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

type FileFacts = Omit<StoredFile, 'body'>

/**
 * Serves a stored file, whole or one range of it. `NotFound` for an invalid key, and for what belongs to a backup.
 *
 * Files of other types than the supported upload types are served as downloads only, so that a browser never shows
 * executable content, whatever ended up in the store.
 */
async function serveFile(ctx: Ctx, key: string, request: Request): Promise<Response> {
  if (!keyShape.test(key) || isBackupKey(key) || isArchiveKey(key)) throw new NotFound()
  const { method, headers: requestHeaders } = request
  const needsFacts = method === 'HEAD' || requestHeaders.has('range') || requestHeaders.has('if-none-match')
  if (!needsFacts) return fullResponse(await ctx.files.get(key))
  const facts = await ctx.files.head(key)
  if (facts === null) throw new NotFound()
  if (matchesEtag(requestHeaders.get('if-none-match'), facts.etag))
    return new Response(null, { status: 304, headers: headersOf(facts) })
  // Range applies to GET only (RFC 9110, 14.2).
  if (method === 'HEAD') return sized(null, facts, facts.sizeBytes)
  const range = allowsRange(requestHeaders.get('if-range'), facts.etag)
    ? parseRange(requestHeaders.get('range'), facts.sizeBytes)
    : null
  if (range === null) return fullResponse(await ctx.files.get(key))
  if (range === 'unsatisfiable')
    return new Response(null, {
      status: 416,
      headers: { ...headersOf(facts), 'Content-Range': contentRange(null, facts.sizeBytes) },
    })
  const part = await ctx.files.get(key, range)
  if (part === null) throw new NotFound()
  const answer = sized(part.body, facts, range.length, 206)
  answer.headers.set('Content-Range', contentRange(range, facts.sizeBytes))
  return answer
}

function fullResponse(file: StoredFile | null): Response {
  if (file === null) throw new NotFound()
  return sized(file.body, file, file.sizeBytes)
}

function sized(body: ReadableStream | null, facts: FileFacts, length: number, status = 200): Response {
  return new Response(body, {
    status,
    headers: { ...headersOf(facts), 'Content-Length': String(length) },
  })
}

function headersOf({ mime, etag }: FileFacts): Record<string, string> {
  const isInert = inlineMimeTypes.has(mime)
  return {
    'Content-Type': isInert ? mime : 'application/octet-stream',
    'Content-Disposition': isInert ? 'inline' : 'attachment',
    'Content-Security-Policy': filePolicy,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
  }
}

/**
 * The placeholder preview of a video: the colours of its blurhash. The picture follows from the URL alone, so caches
 * may keep it for good. `NotFound` for URLs this server does not produce.
 */
function servePlaceholder(size: string, encoded: string): Response {
  const [, width = '', height = ''] = /^(\d{1,4})x(\d{1,4})$/.exec(size) ?? []
  const blurhash = Buffer.from(encoded, 'base64url').toString()
  const png = drawPlaceholder(blurhash, { width: Number(width), height: Number(height) })
  if (png === null) throw new NotFound()
  return new Response(png, {
    headers: {
      'Content-Type': 'image/png',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
