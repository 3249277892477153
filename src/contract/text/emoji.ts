const whole = /^\p{RGI_Emoji}$/v
const VARIATION = '\ufe0f'

/**
 * Parses a single Unicode emoji to its fully qualified form; null for anything else.
 *
 * Clients may omit the variation selector (U+FE0F): both forms are the same emoji.
 */
export function readUnicodeEmoji(text: string): string | null {
  if (text.length > 64) return null
  return [text, text + VARIATION].find((form) => whole.test(form)) ?? null
}

/** Normalises the name of a reaction as typed: emojis fully qualified, shortcodes without colons. */
export function readReactionName(typed: string): string {
  return readUnicodeEmoji(typed) ?? typed.replace(/^:(.+):$/, '$1')
}

// A shortcode must not touch a letter, a digit or another colon: `12:30:45` and `::` hold none.
const shortcode = /(?<![\p{Alphabetic}\p{Nd}:]):([A-Za-z0-9_]{2,}):(?![\p{Alphabetic}\p{Nd}:])/gu

/** The custom emoji shortcodes in `text`, without colons, each once, in order. */
export function findShortcodes(text: string): string[] {
  if (!text.includes(':')) return []
  return [...new Set(Array.from(text.matchAll(shortcode), (match) => match[1] ?? ''))]
}
