import type { Config } from '../../config'
import { embedUrl } from '../../contract/addresses'
import type { Account } from '../../contract/entities/account'
import type { MediaAttachment, PreviewCard, PreviewCardAuthor, Status } from '../../contract/entities/status'
import type { OEmbed, ProfileEmbed } from '../../contract/entities/well-known'
import { describePicture } from '../../contract/media-meta'
import type { Attachment, Card, FileRef } from '../../db/values'
import { isAttributable } from '../../domain/policy/account-visibility'
import { escapeHtml } from '../../lib/html'
import type { AccountId } from '../../lib/ids'
import { placeholderSize, plainBlurhash } from '../../lib/media/placeholder'
import type { AccountFacts } from '../load/accounts'
import { fileUrl, placeholderUrl } from '../urls'
import { accountEntity } from './account'
import { timestampOrNull } from './time'

/** Presents a media attachment of a status; `owner` wrote the status, or uploaded the file. */
export function presentAttachment(config: Config, attachment: Attachment, owner: AccountId): MediaAttachment {
  const { file, preview, type } = attachment
  const remoteUrl = remoteUrlOf(file)
  const previewRemoteUrl = preview === null ? null : remoteUrlOf(preview)
  return {
    id: String(attachment.id),
    type,
    // Unknown media types are not proxied: readers are sent to the remote URL.
    url: type === 'unknown' && remoteUrl !== null ? remoteUrl : fileUrl(config, file, owner),
    remote_url: remoteUrl,
    preview_remote_url: previewRemoteUrl,
    thumbnail_remote_url: previewRemoteUrl,
    text_url: null,
    description: attachment.description,
    ...previewFieldsOf(config, attachment, owner),
  }
}

/** Address of a file on another server; null for files of this one. */
function remoteUrlOf(file: FileRef): string | null {
  return 'remote' in file ? file.remote : null
}

type PreviewFields = Pick<MediaAttachment, 'preview_url' | 'blurhash' | 'meta'>

/**
 * Preview fields of an attachment. For audio, only its embedded cover. An image without a preview, or an
 * animated one, is its own preview; a video without one is drawn from its blurhash, or as a plain colour.
 */
function previewFieldsOf(
  config: Config,
  { type, file, preview, blurhash, meta }: Attachment,
  owner: AccountId,
): PreviewFields {
  if (preview !== null && !isMovingGif(file))
    return { preview_url: fileUrl(config, preview, owner), blurhash, meta }
  if (type === 'image') {
    const small = meta.original === undefined ? {} : { small: meta.original }
    return { preview_url: fileUrl(config, file, owner), blurhash, meta: { ...meta, ...small } }
  }
  if (type !== 'video' && type !== 'gifv') return { preview_url: null, blurhash, meta }
  const colours = blurhash ?? plainBlurhash
  const size = placeholderSize(meta.original ?? {})
  return {
    preview_url: placeholderUrl(config, colours, size),
    blurhash: colours,
    meta: { ...meta, small: describePicture(size) },
  }
}

/** Uploaded GIFs stay GIFs only if they are animated. */
function isMovingGif(file: FileRef): boolean {
  return 'key' in file && file.key.endsWith('.gif')
}

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

const usualWidth = 400
/**
 * Default height of the frame: an iframe has no height of its own, and only a script could adapt it to its
 * content.
 */
const usualHeight = 480
const keptSeconds = 86_400
/** Pixels of a side of an avatar. */
const avatarSize = 400

/** Presents a local status for embedding in other pages: an iframe, without scripts. */
export function presentOembed(
  { origin, domain }: Pick<Config, 'origin' | 'domain'>,
  { id, account }: Status,
  limits: { readonly width: number | undefined; readonly height: number | undefined },
): OEmbed {
  const { width = usualWidth, height = null } = limits
  const name = nameOf(account)
  const src = embedUrl(origin, account.username, Number(id))
  return {
    type: 'rich',
    version: '1.0',
    author_name: name,
    author_url: account.url ?? account.uri,
    provider_name: domain,
    provider_url: `${origin}/`,
    cache_age: keptSeconds,
    html:
      `<iframe src="${src}" title="${escapeHtml(`A post by ${name}`)}" width="${width}" height="${height ?? usualHeight}" ` +
      'style="max-width: 100%; border: 0" loading="lazy" allowfullscreen="allowfullscreen"></iframe>',
    width,
    height,
  }
}

/** Presents a local account as a link with a picture. */
export function presentProfileEmbed(
  { origin, domain }: Pick<Config, 'origin' | 'domain'>,
  account: Account,
): ProfileEmbed {
  const name = nameOf(account)
  return {
    type: 'link',
    version: '1.0',
    title: `${name} (@${account.username}@${domain})`,
    author_name: name,
    author_url: account.url ?? account.uri,
    provider_name: domain,
    provider_url: `${origin}/`,
    cache_age: keptSeconds,
    thumbnail_url: account.avatar_static,
    thumbnail_width: avatarSize,
    thumbnail_height: avatarSize,
  }
}

function nameOf({ display_name: name, username }: Account): string {
  return name === '' ? username : name
}
