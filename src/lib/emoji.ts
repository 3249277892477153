const whole = /^\p{RGI_Emoji}$/v
const VARIATION = '\ufe0f'

/**
 * The one Unicode emoji `text` is, in its full form; null for anything else.
 *
 * Some leave out what tells the picture from the letter (U+FE0F): both forms are the same emoji.
 */
export function readUnicodeEmoji(text: string): string | null {
  if (text.length > 64) return null
  return [text, text + VARIATION].find((form) => whole.test(form)) ?? null
}

/** The one name of what somebody reacts with, as typed: emojis in their full form, shortcodes without colons. */
export function readReactionName(typed: string): string {
  return readUnicodeEmoji(typed) ?? typed.replace(/^:(.+):$/, '$1')
}
