import type { Config } from '../config'
import { hasLogoSizes, logoSides, smallLogo } from '../contract/logo-files'
import type { FileRef } from '../db/values'
import { type Asset, assetPath } from '../lib/assets'
import type { AccountId } from '../lib/ids'
import type { Dimensions } from '../lib/media/dimensions'

/**
 * URL of a file: local ones on the media host, remote ones through the proxy, as long as the account they are
 * shown for is visible. `owner` is null for files that belong to no account, such as the picture of a page.
 */
export function fileUrl(config: Config, file: FileRef, owner: AccountId | null): string {
  return 'key' in file ? `${config.mediaBase}/${file.key}` : proxyUrl(config, file.remote, owner)
}

/** Proxy URL of a remote file, so that the remote server never learns who reads. */
function proxyUrl({ origin, mediaProxy }: Config, url: string, owner: AccountId | null): string {
  return `${origin}/media/proxy/${mediaProxy.pathOf(url, owner)}`
}

/** URL of the static form of a picture; the picture itself if it is not animated. */
export function staticUrl(config: Config, file: FileRef, owner: AccountId | null): string {
  if (file.still === undefined) return fileUrl(config, file, owner)
  return 'key' in file ? `${config.mediaBase}/${file.still}` : proxyUrl(config, file.still, owner)
}

/** Placeholder for a video without a preview: the colours of its blurhash. */
export function placeholderUrl({ origin }: Config, blurhash: string, { width, height }: Dimensions): string {
  return `${origin}/media/field/${width}x${height}/${Buffer.from(blurhash).toString('base64url')}.png`
}

/** Whether an address is one of `placeholderUrl`. */
export function isPlaceholderUrl(url: string): boolean {
  return /\/media\/field\/\d+x\d+\//.test(url)
}

/** Default avatar of accounts without one. */
export function defaultAvatarUrl(config: Config): string {
  return assetUrl(config, 'avatar.webp')
}

export function defaultHeaderUrl(config: Config): string {
  return assetUrl(config, 'header.webp')
}

/** Default thumbnail of an instance without one. */
export function defaultThumbnailUrl(config: Config): string {
  return assetUrl(config, 'preview.png')
}

/** Addresses of the operator's logo; null where there is none. */
export function logoUrls(config: Config, logo: FileRef | null) {
  if (logo === null) return null
  const large = fileUrl(config, logo, null)
  return { large, small: smallLogo(large) }
}

/** Square icons of the server, by the length of a side: its logo, or those of the software. */
export function iconUrls(
  config: Config,
  logo: FileRef | null,
): readonly { readonly side: number; readonly url: string }[] {
  const urls = logoUrls(config, logo)
  // The size of a logo that was kept as it is is not known.
  if (urls !== null && hasLogoSizes(urls.large))
    return [
      { side: logoSides.small, url: urls.small },
      { side: logoSides.large, url: urls.large },
    ]
  return [
    { side: 180, url: assetUrl(config, 'apple-touch-icon.png') },
    { side: 192, url: assetUrl(config, 'icon-192.png') },
    { side: 512, url: assetUrl(config, 'icon-512.png') },
  ]
}

function assetUrl({ origin }: Config, name: Asset): string {
  return `${origin}${assetPath(name)}`
}
