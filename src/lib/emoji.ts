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
