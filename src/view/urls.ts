import type { Config } from '../config'
import type { FileRef } from '../db/values'
import { type Asset, assetPath } from '../lib/assets'
import type { AccountId } from '../lib/ids'
import type { Dimensions } from '../lib/media/dimensions'

/**
 * Where a file is served: ours from the media host, another server's through this one, as long as the account it is
 * shown for may be seen. `owner` is null for what belongs to no account, such as the picture of a page.
 */
export function fileUrl(config: Config, file: FileRef, owner: AccountId | null): string {
  return 'key' in file ? `${config.mediaBase}/${file.key}` : proxyUrl(config, file.remote, owner)
}

/** People's readers ask this server for a file of another one, so that the other never learns who reads. */
function proxyUrl({ origin, mediaProxy }: Config, url: string, owner: AccountId | null): string {
  return `${origin}/media/proxy/${mediaProxy.pathOf(url, owner)}`
}

/** The unmoving form of a picture; the picture itself where it does not move. */
export function staticUrl(config: Config, file: FileRef, owner: AccountId | null): string {
  if (file.still === undefined) return fileUrl(config, file, owner)
  return 'key' in file ? `${config.mediaBase}/${file.still}` : proxyUrl(config, file.still, owner)
}

/** What is shown for a film that has no preview: the colours of a blurhash. */
export function placeholderUrl({ origin }: Config, blurhash: string, { width, height }: Dimensions): string {
  return `${origin}/media/field/${width}x${height}/${Buffer.from(blurhash).toString('base64url')}.png`
}

/** Pictures of accounts that chose none. */
export function defaultAvatarUrl(config: Config): string {
  return assetUrl(config, 'avatar.webp')
}

export function defaultHeaderUrl(config: Config): string {
  return assetUrl(config, 'header.webp')
}

/** Stands for an instance whose operator chose no picture. */
export function defaultThumbnailUrl(config: Config): string {
  return assetUrl(config, 'preview.png')
}

/** The square icons of the software, by the length of a side. */
export function iconUrls(config: Config): readonly { readonly side: number; readonly url: string }[] {
  return [
    { side: 180, url: assetUrl(config, 'apple-touch-icon.png') },
    { side: 192, url: assetUrl(config, 'icon-192.png') },
    { side: 512, url: assetUrl(config, 'icon-512.png') },
  ]
}

function assetUrl({ origin }: Config, name: Asset): string {
  return `${origin}${assetPath(name)}`
}
