import type { Config } from '../config'
import type { FileRef } from '../db/values'

/** Where a file is served: ours from the media host, another server's through this one. */
export function fileUrl(config: Config, file: FileRef): string {
  return 'key' in file ? `${config.mediaBase}/${file.key}` : proxyUrl(config, file.remote)
}

/** People's readers ask this server for a file of another one, so that the other never learns who reads. */
export function proxyUrl({ origin, mediaProxy }: Config, url: string): string {
  return `${origin}/media/proxy/${mediaProxy.pathOf(url)}`
}

/** The unmoving form of a picture; the picture itself where it does not move. */
export function stillUrl(config: Config, file: FileRef): string {
  if (file.still === undefined) return fileUrl(config, file)
  return 'key' in file ? `${config.mediaBase}/${file.still}` : proxyUrl(config, file.still)
}

/** Pictures of accounts that chose none. */
export function defaultAvatarUrl(config: Config): string {
  return `${config.origin}/assets/avatar.png`
}

export function defaultHeaderUrl(config: Config): string {
  return `${config.origin}/assets/header.png`
}

/** Stands for an instance whose operator chose no picture. */
export function defaultThumbnailUrl(config: Config): string {
  return `${config.origin}/assets/preview.png`
}

/** The square icons of the software, by the length of a side. */
export function iconUrls(config: Config): readonly { readonly side: number; readonly url: string }[] {
  return [
    { side: 180, url: `${config.origin}/assets/apple-touch-icon.png` },
    { side: 192, url: `${config.origin}/assets/icon-192.png` },
    { side: 512, url: `${config.origin}/assets/icon-512.png` },
  ]
}
