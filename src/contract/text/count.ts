import { lazy } from '../../lib/lazy'
import { findEntities, hasHost } from './scan'

/** Length counted per URL. */
export const URL_CHARACTERS = 23

/**
 * Length of a text as clients count it: user-perceived characters, a URL as 23, a remote mention without its
 * domain. Clients count Markdown source the same way, so there is no second rule for it.
 */
export function countCharacters(text: string): number {
  let count = 0
  let last = 0
  for (const entity of findEntities(text)) {
    // As in Mastodon, which counts `xmpp:` and `magnet:` letter by letter.
    if (entity.kind === 'hashtag' || (entity.kind === 'url' && !hasHost(entity.url))) continue
    count += countGraphemes(text.slice(last, entity.start))
    count += entity.kind === 'url' ? URL_CHARACTERS : 1 + entity.mention.username.length
    last = entity.end
  }
  return count + countGraphemes(text.slice(last))
}

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/**
 * Number of user-perceived characters.
 *
 * The segmenter costs about a microsecond each, so it sees only the stretches that need it: between two plain
 * letters there is always a boundary.
 */
export function countGraphemes(text: string): number {
  let count = 0
  let i = 0
  while (i < text.length) {
    const start = i
    while (i < text.length && !(isPlain(text, i) && isPlain(text, i + 1))) i++
    if (i > start) count += countSegments(text.slice(start, i + 1))
    else count += 1
    i++
  }
  return count
}

function countSegments(text: string): number {
  return text.length === 1 ? 1 : Array.from(segmenter().segment(text)).length
}

// Ranges in which a character never joins a plain neighbour: Latin, Greek, Cyrillic, Armenian, general
// punctuation, kana, Han, Hangul syllables and full-width forms, each without its combining marks and emoji.
function isPlain(text: string, index: number): boolean {
  if (index >= text.length) return true
  const code = text.charCodeAt(index)
  if (code < 0x300) return code !== 0x0d && code !== 0xa9 && code !== 0xae
  if (code < 0x590) return code >= 0x370 && (code < 0x483 || code > 0x489)
  if (code < 0x2010) return code >= 0x1e00 && code < 0x2000
  if (code < 0x3041) return code < 0x2028 || (code >= 0x3000 && code < 0x302a)
  if (code < 0x3100) return code !== 0x3099 && code !== 0x309a
  if (code < 0xac00) return code >= 0x4e00 && code < 0xa000
  return code < 0xd7a4 || (code >= 0xff01 && code < 0xff9e)
}
