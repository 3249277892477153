// A shortcode must not touch a letter, a digit or another colon: `12:30:45` and `::` hold none.
const shortcode = /(?<![\p{Alphabetic}\p{Nd}:]):([A-Za-z0-9_]{2,}):(?![\p{Alphabetic}\p{Nd}:])/gu

/** The custom emoji shortcodes in `text`, without colons, each once, in order. */
export function findShortcodes(text: string): string[] {
  if (!text.includes(':')) return []
  return [...new Set(Array.from(text.matchAll(shortcode), (match) => match[1] ?? ''))]
}
