import { mediaLimits } from '../../contract/limits'
import type { Card } from '../../db/values'
import { AppError, Unreachable } from '../../errors'
import type { AccountId } from '../../lib/ids'
import { type Dimensions, readDimensions } from '../../lib/media/dimensions'
import { blurhashOf } from '../../lib/media/png'
import { sniffMedia } from '../../lib/media/sniff'
import { readBody } from '../../lib/outgoing'
import type { Embed } from '../../lib/page/oembed'
import { type Player, playerHtml } from '../../lib/page/player'
import type { Ctx } from '../../ports/ctx'
import { fetchEmbed, fetchPage } from './fetch-page'
import type { PageDetails } from './page-details'

/**
 * Builds the card of the page at `url` from the page and its oEmbed document; null for a page without metadata.
 *
 * Fetches the page, and its oEmbed document, its picture and its author where it names them. `Unreachable` if the
 * page cannot be fetched now; a card without the others has less on it.
 */
export async function makeCard(ctx: Ctx, url: string): Promise<Card | null> {
  const page = await fetchPage(ctx, url)
  if (page === null) return null
  const embed = page.oembed === null ? null : await fetchEmbed(ctx, page.oembed)
  const title = embed?.title || page.title
  const player = playerOf(page, embed)
  if (title === '' && player === null) return null
  const wanted = pictureOf(page, embed)
  const picture = wanted === null ? null : await fetchPicture(ctx, wanted)
  const photo = embed?.content.type === 'photo' && picture?.url === embed.content.url ? embed.content : null
  return {
    url: page.canonicalUrl,
    title,
    description: page.description,
    type: player !== null ? 'video' : photo !== null ? 'photo' : 'link',
    authorName: embed?.authorName || page.authorName,
    authorUrl: embed?.authorUrl || page.authorUrl,
    providerName: embed?.providerName || page.siteName,
    providerUrl: embed?.providerUrl ?? '',
    html: player === null ? '' : playerHtml(player),
    ...sizeOf(player ?? photo, picture),
    image: picture === null ? null : { remote: picture.url },
    imageDescription: picture === null ? '' : page.imageDescription,
    blurhash: picture?.blurhash ?? null,
    photo: photo === null ? null : { remote: photo.url },
    language: page.language,
    publishedAt: page.publishedAt?.getTime() ?? null,
    creatorId: await creatorOf(ctx, page),
  }
}

function playerOf({ player }: PageDetails, embed: Embed | null): Player | null {
  return embed?.content.type === 'video' ? embed.content.player : embed === null ? player : null
}

function pictureOf({ imageUrl }: PageDetails, embed: Embed | null): string | null {
  if (embed?.content.type === 'photo') return embed.content.url
  return embed?.thumbnail ?? imageUrl
}

type Size = Pick<Card, 'width' | 'height'>

function sizeOf(content: Size | null, picture: FoundPicture | null): Size {
  const { width, height } =
    content !== null && content.width > 0 ? content : (picture ?? { width: 0, height: 0 })
  return { width, height }
}

/** The account a page names as its author. The account's consent is checked when the card is shown. */
async function creatorOf({ config, resolver }: Ctx, { creator }: PageDetails): Promise<AccountId | null> {
  if (creator === null) return null
  return resolver.accountByHandle({ ...creator, domain: creator.domain ?? config.domain })
}

const maxPictureBytes = 4_194_304

/** The picture of a preview, served to readers through this server. */
interface FoundPicture extends Dimensions {
  readonly url: string
  readonly blurhash: string | null
}

/** Fetches the picture of a page; null if it is no picture, too large, or unreachable. */
async function fetchPicture(ctx: Ctx, url: string): Promise<FoundPicture | null> {
  const bytes = await bytesAt(ctx, url)
  const kind = bytes === null ? null : (sniffMedia(bytes)?.kind ?? null)
  if (bytes === null || (kind !== 'image' && kind !== 'gifv-candidate')) return null
  const size = readDimensions(bytes)
  if (size === null || size.width * size.height > mediaLimits.imagePixels) return null
  return { url, ...size, blurhash: await blurred(ctx, bytes) }
}

async function bytesAt(ctx: Ctx, url: string): Promise<Uint8Array | null> {
  try {
    const answer = await ctx.http.send({
      method: 'GET',
      url,
      redirects: 'follow',
      maxBytes: maxPictureBytes,
      headers: { accept: 'image/*' },
    })
    if (answer.status === 200) return await readBody(answer)
    await answer.body?.cancel()
    return null
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch the picture of a page', { host: URL.parse(url)?.host, cause: failure })
    return null
  }
}

/** Browsers may show pictures that the image service cannot read, or not now. */
async function blurred(ctx: Ctx, bytes: Uint8Array): Promise<string | null> {
  if (ctx.images === null) return null
  try {
    const tiny = { width: 32, height: 32, fit: 'scale-down', mime: 'image/png' } as const
    return blurhashOf((await ctx.images.render(bytes, tiny)).bytes)
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    ctx.log.info('Failed to compute the blurhash of a page picture', { cause: failure })
    return null
  }
}
