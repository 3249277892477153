import { supportedMimeTypes } from './sniff'

/** Media types of stored files, by their extension. */
const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  webm: 'video/webm',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  ogv: 'video/ogg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  '3gp': 'audio/3gpp',
  wma: 'audio/x-ms-wma',
}

/** The media type of a file by the extension of its name or address; null if unknown. */
export function mimeOfName(name: string): string | null {
  const extension = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(name)?.[1]?.toLowerCase()
  return extension === undefined ? null : (types[extension] ?? null)
}

const inlineMimeTypes: ReadonlySet<string> = new Set(supportedMimeTypes)

/** Headers of a file that moderators look at: hostile, so that nothing in it runs, and shown inline as media alone. */
export function moderatedFileHeaders({
  mime,
  sizeBytes,
}: {
  readonly mime: string
  readonly sizeBytes: number
}) {
  return {
    'Content-Type': inlineMimeTypes.has(mime) ? mime : 'application/octet-stream',
    'Content-Length': String(sizeBytes),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  }
}
