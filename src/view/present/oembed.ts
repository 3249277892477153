import type { Config } from '../../config'
import type { Account } from '../../contract/entities/account'
import type { OEmbed, ProfileEmbed } from '../../contract/entities/oembed'
import type { Status } from '../../contract/entities/status'
import { embedUrl } from '../../lib/addresses'
import { escapeHtml } from '../../lib/html'

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
