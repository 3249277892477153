/**
 * Word boundaries by the rules of Unicode (UAX 29) with one exception: an apostrophe ends a word, as in
 * Mastodon, so that `bird` is found in `bird's` and `avion` in `l'avion`.
 *
 * Scripts without spaces between words (Han, Hiragana, Thai ...) have a boundary beside each letter: finding
 * better ones takes a dictionary, and a word in the middle of a sentence must be found.
 */
type Joining = 'none' | 'letter' | 'katakana' | 'connector' | 'joiner' | 'mark'

const mark = /^\p{M}$/u
const connector = /^\p{Pc}$/u
const katakana = /^[\p{Script=Katakana}\u30fc]$/u
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Le}\p{Script=New_Tai_Lue}\p{Script=Tai_Tham}\p{Script=Tai_Viet}]$/u
const letter = /^[\p{Alphabetic}\p{Nd}]$/u

function joiningOf(character: string): Joining {
  if (/^[a-z\d]$/.test(character)) return 'letter'
  if (mark.test(character)) return 'mark'
  if (character === '\u200d') return 'joiner'
  if (connector.test(character)) return 'connector'
  if (katakana.test(character)) return 'katakana'
  return letter.test(character) && !unspaced.test(character) ? 'letter' : 'none'
}

/** Whether a word continues across `index` of `text`. Expects folded text. */
export function isInsideWord(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false
  const after = joiningOf(String.fromCodePoint(text.codePointAt(index) ?? 0))
  if (after === 'none' || after === 'mark') return after === 'mark'
  const before = joiningBefore(text, index)
  if (before === 'none') return false
  return (
    after === before || [before, after].some((joining) => joining === 'connector' || joining === 'joiner')
  )
}

/** Class of the letter before `end`, past any marks on it. */
function joiningBefore(text: string, end: number): Joining {
  let index = end
  while (index > 0) {
    index -= index > 1 && isLowSurrogate(text.charCodeAt(index - 1)) ? 2 : 1
    const joining = joiningOf(String.fromCodePoint(text.codePointAt(index) ?? 0))
    if (joining !== 'mark') return joining
  }
  return 'none'
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
