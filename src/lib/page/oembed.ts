import * as z from 'zod'
import { type Player, pixels, playerIn } from './player'
import { decodeEntities, plainLine, secureAddress, webAddress } from './sanitise'

/** Fields of a page's oEmbed document. */
export interface Embed {
  readonly title: string
  readonly authorName: string
  readonly authorUrl: string
  readonly providerName: string
  readonly providerUrl: string
  readonly thumbnail: string | null
  readonly content:
    | { readonly type: 'link' }
    | { readonly type: 'photo'; readonly url: string; readonly width: number; readonly height: number }
    | { readonly type: 'video'; readonly player: Player }
}

const Text = z.string().catch('')
const Document = z.looseObject({
  version: z.union([z.literal('1.0'), z.literal(1)]),
  type: z.enum(['link', 'photo', 'video']),
  title: Text,
  author_name: Text,
  author_url: Text,
  provider_name: Text,
  provider_url: Text,
  thumbnail_url: Text,
  url: Text,
  html: Text,
})

/**
 * Parses an oEmbed document. Null if invalid, for a photo without address, a video without a frame, and for
 * `rich`: its HTML needs scripts, so the head of the page is shown instead, as by Mastodon.
 */
export function readEmbed(document: unknown, base: string): Embed | null {
  const read = Document.safeParse(document)
  if (!read.success) return null
  const { title, author_name, author_url, provider_name, provider_url, thumbnail_url } = read.data
  const content = contentOf(read.data, base)
  if (content === null) return null
  return {
    title: textLine(title, 500),
    authorName: textLine(author_name, 200),
    authorUrl: webAddress(author_url, base) ?? '',
    providerName: textLine(provider_name, 200),
    providerUrl: webAddress(provider_url, base) ?? '',
    thumbnail: secureAddress(thumbnail_url, base),
    content,
  }
}

function textLine(text: string, mostCharacters: number): string {
  return plainLine(decodeEntities(text, 4_096), mostCharacters)
}

function contentOf(document: z.infer<typeof Document>, base: string): Embed['content'] | null {
  const size = { width: pixels(document['width']), height: pixels(document['height']) }
  switch (document.type) {
    case 'link':
      return { type: 'link' }
    case 'photo': {
      const url = secureAddress(document.url, base)
      return url === null ? null : { type: 'photo', url, ...size }
    }
    case 'video': {
      const player = playerIn(document.html, base)
      if (player === null) return null
      return {
        type: 'video',
        player: { ...player, width: size.width || player.width, height: size.height || player.height },
      }
    }
  }
}
