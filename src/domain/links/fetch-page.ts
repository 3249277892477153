import { Unreachable } from '../../errors'
import { parseJsonBytes } from '../../lib/json-bytes'
import { readBody, readPieces } from '../../lib/outgoing/http'
import { detailsOf, type PageDetails } from '../../lib/page/details'
import { HeadReader } from '../../lib/page/head'
import { type Embed, readEmbed } from '../../lib/page/oembed'
import { contentTypeOf } from '../../lib/page/sanitise'
import type { Ctx, HttpResponse } from '../../platform/ports'

const pageBytes = 1_048_576
const embedBytes = 262_144
const timeoutMilliseconds = 10_000

/**
 * What the page at `url` says of itself; null where there is no web page to speak of. Nothing in the request tells
 * who linked to it. `Unreachable` where it cannot be had now.
 */
export async function fetchPage(ctx: Ctx, url: string): Promise<PageDetails | null> {
  const answer = await ctx.http.send({
    ...{ method: 'GET', url: secured(url), redirects: 'follow', maxBytes: pageBytes, tooLong: 'cut' },
    headers: { accept: 'text/html, application/xhtml+xml', 'accept-language': 'en, *;q=0.5' },
  })
  const type = contentTypeOf(answer.headers)
  if (!(await isUsable(answer, ['text/html', 'application/xhtml+xml'].includes(type)))) return null
  const reader = new HeadReader(answer.headers.get('content-type') ?? '')
  await readPieces(answer, (piece) => reader.write(piece), timeoutMilliseconds)
  return detailsOf(reader.finish(), { url: answer.url, ownDomains: ctx.config.ownDomains })
}

/** The oEmbed document a page names; null where there is none that can be shown. */
export async function fetchEmbed(ctx: Ctx, url: string): Promise<Embed | null> {
  try {
    const answer = await ctx.http.send({
      ...{ method: 'GET', url, redirects: 'follow', maxBytes: embedBytes },
      headers: { accept: 'application/json+oembed, application/json' },
    })
    if (!(await isUsable(answer, /json|javascript/.test(contentTypeOf(answer.headers))))) return null
    return readEmbed(parseJsonBytes(await readBody(answer, timeoutMilliseconds)), answer.url)
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('An oEmbed document could not be fetched', { host: URL.parse(url)?.host, cause: failure })
    return null
  }
}

/** Nothing is asked for without protection; most pages are there by https as well. */
function secured(url: string): string {
  return url.replace(/^http:/i, 'https:')
}

/** Is there what was asked for? `Unreachable` where a later try may find it. */
async function isUsable(answer: HttpResponse, isOfType: boolean): Promise<boolean> {
  const { status, url, body } = answer
  if (status === 200 && isOfType) return true
  await body?.cancel()
  if (status === 429 || status >= 500) throw new Unreachable(`${url} answers ${status}`)
  return false
}
