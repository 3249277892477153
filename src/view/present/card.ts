import type { Config } from '../../config'
import type { PreviewCard, PreviewCardAuthor } from '../../contract/entities/preview-card'
import type { Card } from '../../db/values'
import { isAttributable } from '../../domain/policy/attribution'
import type { AccountFacts } from '../load/accounts'
import { fileUrl } from '../urls'
import { accountEntity } from './account'
import { timestampOrNull } from './time'

export interface CardFacts {
  readonly card: Card
  /** The account the page names as its author. */
  readonly creator: AccountFacts | null
  /** Null for anonymous viewers. */
  readonly viewerId: number | null
}

/**
 * Presents the preview of a page. Its author is shown if their account lists the host as allowed to attribute
 * them; if it does not, only the author sees `missing_attribution`.
 */
export function presentCard(config: Config, { card, creator, viewerId }: CardFacts): PreviewCard {
  const agrees = creator !== null && isAttributable(creator.attributionDomains, card.url)
  const author = agrees && creator.suspendedAt === null ? creator : null
  return {
    url: card.link ?? card.url,
    title: card.title,
    description: card.description,
    type: card.type,
    authors: authorsOf(config, card, author),
    author_name: card.authorName,
    author_url: card.authorUrl,
    provider_name: card.providerName,
    provider_url: card.providerUrl,
    html: card.html,
    width: card.width,
    height: card.height,
    image: card.image === null ? null : fileUrl(config, card.image, null),
    image_description: card.imageDescription,
    embed_url: card.photo === null ? '' : fileUrl(config, card.photo, null),
    blurhash: card.blurhash,
    language: card.language,
    published_at: timestampOrNull(card.publishedAt === null ? null : new Date(card.publishedAt)),
    ...(viewerId === null ? {} : { missing_attribution: creator?.id === viewerId && !agrees }),
  }
}

function authorsOf(
  config: Config,
  { authorName, authorUrl }: Card,
  author: AccountFacts | null,
): PreviewCardAuthor[] {
  if (authorName === '' && authorUrl === '' && author === null) return []
  const account = author === null ? null : accountEntity(config, author, null)
  return [{ name: authorName, url: authorUrl, account }]
}
