import type { Card } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import type { PageDetails } from '../../lib/page/details'
import type { Embed } from '../../lib/page/oembed'
import { type Player, playerHtml } from '../../lib/page/player'
import type { Ctx } from '../../ports/ctx'
import { fetchEmbed, fetchPage } from './fetch-page'
import { type FoundPicture, fetchPicture } from './fetch-picture'

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
