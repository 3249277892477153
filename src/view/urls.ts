import type { Config } from '../config'
import type { FileRef } from '../db/values'

/** Where a file is served: ours from the media host, another server's where it says. */
export function fileUrl(config: Config, file: FileRef): string {
  return 'key' in file ? `${config.mediaBase}/${file.key}` : file.remote
}

/** The unmoving form of a picture; the picture itself where it does not move. */
export function stillUrl(config: Config, file: FileRef): string {
  if (file.still === undefined) return fileUrl(config, file)
  return 'key' in file ? `${config.mediaBase}/${file.still}` : file.still
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
