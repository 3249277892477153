import type { ProxiedFile } from '../contract/media-proxy'
import { mayProxy } from '../domain/media/may-proxy'
import { NotFound, Unavailable, Unreachable } from '../errors'
import { peek } from '../lib/media/bytes'
import { sniffMedia, supportedMimeTypes } from '../lib/media/sniff'
import type { HttpResponse } from '../lib/outgoing'
import { matchesEtag } from '../lib/request-headers'
import type { Ctx } from '../ports/ctx'

/** Audio and video are streamed, never buffered, so they may be longer than an upload. */
const maxProxiedBytes = 104_857_600
/** Time in Cloudflare's cache, which is read once the file is known to be allowed. */
const fetchedSeconds = 7 * 86_400
/** Time in browsers' caches: the longest that a file blocked by a moderator stays visible. */
const keptSeconds = 86_400

const proxiedMimeTypes: ReadonlySet<string> = new Set(supportedMimeTypes)

/**
 * Proxies a remote picture, audio or video, cached on the way.
 *
 * `NotFound` for a URL this server did not sign or that has expired (null), for media blocked by moderators, for
 * other types, and for files the remote server refuses; `Unavailable` while it does not answer.
 */
export async function serveRemote(ctx: Ctx, file: ProxiedFile | null, request: Request): Promise<Response> {
  if (file === null || !(await mayProxy(ctx, file))) throw new NotFound()
  const range = request.headers.get('range')
  const found = await fetchRange(ctx, file.url, range)
  const passes = found.status === 200 || (found.status === 206 && range !== null)
  if (!passes || found.body === null) throw new NotFound()
  const sizeBytes = Number(found.headers.get('content-length') ?? Number.NaN)
  if (sizeBytes > maxProxiedBytes) throw new NotFound()
  const { mime, body } = await typed(found, found.body)
  if (mime === null) throw new NotFound()
  const etag = found.headers.get('etag')
  if (etag !== null && found.status === 200 && matchesEtag(request.headers.get('if-none-match'), etag)) {
    await body.cancel()
    return new Response(null, { status: 304, headers: { ...cached, ETag: etag } })
  }
  const isHead = request.method === 'HEAD'
  if (isHead) await body.cancel()
  return new Response(isHead ? null : body, {
    status: found.status,
    headers: {
      'Content-Type': mime,
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...cached,
      ...forwardedHeaders(found.headers, ['accept-ranges', 'content-length', 'content-range', 'etag']),
    },
  })
}

const cached = { 'Cache-Control': `public, max-age=${keptSeconds}` }

async function fetchRange(ctx: Ctx, url: string, range: string | null): Promise<HttpResponse> {
  try {
    return await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes: maxProxiedBytes,
      cacheSeconds: fetchedSeconds,
      headers: { accept: 'image/*, video/*, audio/*', ...(range === null ? {} : { range }) },
    })
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch a remote file', { host: new URL(url).host, cause: failure })
    throw new Unavailable('media_unavailable', {}, failure)
  }
}

/** Sniffs the type where the remote server does not name a permitted one; a part of a file cannot be sniffed. */
async function typed(found: HttpResponse, body: ReadableStream) {
  const claimed = (found.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (proxiedMimeTypes.has(claimed)) return { mime: claimed, body }
  const isUnnamed = claimed === '' || claimed.endsWith('/octet-stream')
  if (!isUnnamed || found.status !== 200) return { mime: null, body }
  const { head, whole } = await peek(body)
  return { mime: sniffMedia(head)?.mime ?? null, body: whole }
}

function forwardedHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  const entries = names.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
