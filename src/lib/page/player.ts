import { Parser } from 'htmlparser2'
import { escapeHtml } from '../html'
import { secureAddress } from './sanitise'

/** A player page, shown in an iframe. */
export interface Player {
  readonly src: string
  readonly width: number
  readonly height: number
}

const mostPixels = 10_000

/** Parses a number of pixels; 0 for anything else. */
export function pixels(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return 0
  return Math.min(mostPixels, Math.round(number))
}

/** HTML of a player's iframe. Contains nothing untrusted but its address and size. */
export function playerHtml({ src, width, height }: Player): string {
  const size = `${width > 0 ? ` width="${width}"` : ''}${height > 0 ? ` height="${height}"` : ''}`
  return (
    `<iframe src="${escapeHtml(src)}"${size} allowfullscreen="" scrolling="no" frameborder="0" ` +
    'sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>'
  )
}

/** The first https iframe in untrusted HTML; the rest is dropped. */
export function playerIn(html: string, base: string): Player | null {
  let found: Player | null = null
  const parser = new Parser({
    onopentag(element, { src, width, height }) {
      if (found !== null || element !== 'iframe') return
      const address = /^(?:https:)?\/\//i.test((src ?? '').trim()) ? secureAddress(src ?? '', base) : null
      if (address !== null) found = { src: address, width: pixels(width), height: pixels(height) }
    },
  })
  parser.end(html.slice(0, 16_384))
  return found
}
