import { supportedMimeTypes } from './sniff'

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
