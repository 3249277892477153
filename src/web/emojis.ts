import type { CustomEmoji } from '../contract/entities/custom-emoji'
import { escapeHtml } from '../lib/html'
import { type Attributes, walkHtml } from '../lib/html-walk'

/** Custom emojis of a text by shortcode: their static pictures. */
export type Emojis = ReadonlyMap<string, string>

export function emojisOf(list: readonly CustomEmoji[]): Emojis {
  return new Map(list.map((emoji) => [emoji.shortcode, emoji.static_url]))
}

/** A text cut at its emojis: words, and pictures by shortcode. */
export function splitAtEmojis(
  text: string,
  emojis: Emojis,
): readonly (string | { readonly shortcode: string; readonly url: string })[] {
  return text.split(/(:\w+:)/).flatMap((piece) => {
    const url = emojis.get(piece.slice(1, -1))
    if (piece === '') return []
    return [url === undefined ? piece : { shortcode: piece, url }]
  })
}

const withoutEnd: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'wbr'])

/** Sanitised HTML with pictures in place of the emojis its text names; attributes are left alone. */
export function renderEmojis(html: string, emojis: Emojis): string {
  if (emojis.size === 0) return html
  const out: string[] = []
  const open: string[] = []
  walkHtml(html, {
    open(element, attributes) {
      open.push(element)
      out.push(`<${element}${written(attributes)}>`)
    },
    close() {
      const element = open.pop()
      if (element !== undefined && !withoutEnd.has(element)) out.push(`</${element}>`)
    },
    text(text) {
      for (const piece of splitAtEmojis(text, emojis))
        out.push(typeof piece === 'string' ? escapeHtml(piece) : picture(piece))
    },
  })
  return out.join('')
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')
}

function picture({ shortcode, url }: { readonly shortcode: string; readonly url: string }): string {
  const name = escapeHtml(shortcode)
  return `<img class="emoji" src="${escapeHtml(url)}" alt="${name}" title="${name}" width="20" height="20">`
}
