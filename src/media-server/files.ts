import { NotFound } from '../errors'
import { isArchiveKey } from '../lib/archives/keys'
import { isBackupKey } from '../lib/backups'
import { allowsRange, contentRange, matchesEtag, parseRange } from '../lib/http-range'
import { supportedMimeTypes } from '../lib/media/sniff'
import type { StoredFile } from '../lib/stored-file'
import type { Ctx } from '../ports/ctx'

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
export async function serveFile(ctx: Ctx, key: string, request: Request): Promise<Response> {
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
