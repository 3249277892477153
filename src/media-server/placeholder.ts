import { NotFound } from '../errors'
import { drawPlaceholder } from '../lib/media/placeholder'

/**
 * The placeholder preview of a video: the colours of its blurhash. The picture follows from the URL alone, so caches
 * may keep it for good. `NotFound` for URLs this server does not produce.
 */
export function servePlaceholder(size: string, encoded: string): Response {
  const [, width = '', height = ''] = /^(\d{1,4})x(\d{1,4})$/.exec(size) ?? []
  const blurhash = Buffer.from(encoded, 'base64url').toString()
  const png = drawPlaceholder(blurhash, { width: Number(width), height: Number(height) })
  if (png === null) throw new NotFound()
  return new Response(png, {
    headers: {
      'Content-Type': 'image/png',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
