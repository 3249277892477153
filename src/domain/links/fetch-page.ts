import { Unreachable } from '../../errors'
import { parseJsonBytes } from '../../lib/json'
import { type HttpResponse, readBody, readPieces } from '../../lib/outgoing'
import { BackLinkReader } from '../../lib/page/back-links'
import { HeadReader } from '../../lib/page/head'
import { type Embed, readEmbed } from '../../lib/page/oembed'
import { parseEmbedXml } from '../../lib/page/oembed-xml'
import { contentTypeOf } from '../../lib/request-headers'
import type { Ctx } from '../../ports/ctx'
import { detailsOf, type PageDetails } from './page-details'

const pageTypes = ['text/html', 'application/xhtml+xml']
const pageBytes = 1_048_576
const embedBytes = 262_144
const timeoutMilliseconds = 10_000

/**
 * Metadata of the page at `url`; null if it is no web page. The request does not reveal who linked to it.
 * `Unreachable` if it cannot be fetched now.
 */
export async function fetchPage(ctx: Ctx, url: string): Promise<PageDetails | null> {
  const answer = await openPage(ctx, secured(url), { 'accept-language': 'en, *;q=0.5' })
  if (!(await isUsable(answer, isPage(answer)))) return null
  const reader = new HeadReader(answer.headers.get('content-type') ?? '')
  await readPieces(answer, (piece) => reader.write(piece), timeoutMilliseconds)
  return detailsOf(reader.finish(), { url: answer.url, ownDomains: ctx.config.ownDomains })
}

/**
 * Whether the page at `url` links to one of `addresses` with rel="me". A page of another site that it redirects to proves
 * nothing for it: some sites redirect to any address. `Unreachable` if it cannot be fetched now.
 */
export async function linksBack(ctx: Ctx, url: string, addresses: readonly string[]): Promise<boolean> {
  const answer = await openPage(ctx, url)
  if (!(await isUsable(answer, isPage(answer) && siteOf(answer.url) === siteOf(url)))) return false
  const reader = new BackLinkReader(addresses, answer.url)
  await readPieces(answer, (piece) => reader.write(piece), timeoutMilliseconds)
  return reader.isFound
}

/** Requests the page at `url`, which is cut off after a megabyte. */
function openPage({ http }: Ctx, url: string, headers: Readonly<Record<string, string>> = {}) {
  return http.send({
    method: 'GET',
    url,
    redirects: 'follow',
    maxBytes: pageBytes,
    tooLong: 'cut',
    headers: { accept: pageTypes.join(', '), ...headers },
  })
}

function isPage({ headers }: HttpResponse): boolean {
  return pageTypes.includes(contentTypeOf(headers))
}

const embedTypes = {
  json: { accept: 'application/json+oembed, application/json', answered: /json|javascript/ },
  xml: { accept: 'text/xml+oembed, text/xml, application/xml', answered: /xml/ },
}

/** The oEmbed document a page names; null without one that can be shown. */
export async function fetchEmbed(
  ctx: Ctx,
  { url, format }: NonNullable<PageDetails['oembed']>,
): Promise<Embed | null> {
  const { accept, answered } = embedTypes[format]
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes: embedBytes,
      headers: { accept },
    })
    if (!(await isUsable(answer, answered.test(contentTypeOf(answer.headers))))) return null
    const bytes = await readBody(answer, timeoutMilliseconds)
    const contentType = answer.headers.get('content-type') ?? ''
    return readEmbed(
      format === 'json' ? parseJsonBytes(bytes) : parseEmbedXml(bytes, contentType),
      answer.url,
    )
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch an oEmbed document', { host: URL.parse(url)?.host, cause: failure })
    return null
  }
}

/** Host of an address, with or without `www.`. */
function siteOf(url: string): string | undefined {
  return URL.parse(url)?.host.replace(/^www\./, '')
}

/** Plain http is never used; most pages are available over https as well. */
function secured(url: string): string {
  return url.replace(/^http:/i, 'https:')
}

/** Whether the response is the requested document. `Unreachable` where a retry may succeed. */
async function isUsable(answer: HttpResponse, isOfType: boolean): Promise<boolean> {
  const { status, url, body } = answer
  if (status === 200 && isOfType) return true
  await body?.cancel()
  if (status === 429 || status >= 500) throw new Unreachable(`${url} answers ${status}`)
  return false
}
