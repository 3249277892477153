/** Longer tokens are truncated, in index and query alike: a token that long is not a word. */
const longestToken = 64

const run = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts written without spaces between words, and Korean, whose words carry endings. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu

/** Letters that no decomposition leads back to plain ones. */
const foldedLetters = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['ŋ', 'n'],
  ['ŧ', 't'],
  ['þ', 'th'],
  ['ς', 'σ'],
])

/**
 * Folds text for comparison: compatibility-composed, lower case, accents of Latin, Greek and Cyrillic folded to
 * the base letter, invisible joiners removed. Vowel signs of other scripts stay.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]|\p{Cf}/gu, '')
    .replace(/[ßæœøđðħıłŋŧþς]/g, (letter) => foldedLetters.get(letter) ?? letter)
    .normalize('NFC')
}

/** A run of letters of one kind of script. */
interface Run {
  readonly text: string
  readonly isUnspaced: boolean
}

function runsOf(text: string): readonly Run[] {
  return [...foldText(text).matchAll(run)].flatMap(([word]) => {
    const runs: Run[] = []
    let at = 0
    for (const found of word.matchAll(unspaced)) {
      if (found.index > at) runs.push({ text: word.slice(at, found.index), isUnspaced: false })
      runs.push({ text: found[0], isUnspaced: true })
      at = found.index + found[0].length
    }
    return at < word.length ? [...runs, { text: word.slice(at), isUnspaced: false }] : runs
  })
}

/**
 * The index tokens of a text: its words; in scripts without spaces every pair of neighbouring characters, and
 * the last one alone. Tokens contain only letters, marks and digits.
 */
export function tokensOf(text: string): string[] {
  return runsOf(text).flatMap((one) => (one.isUnspaced ? pairsOf([...one.text], true) : [cut(one.text)]))
}

/** Consecutive tokens to find; with `isOpen` the last one is a prefix. */
export interface Sequence {
  readonly tokens: readonly string[]
  readonly isOpen: boolean
}

/** The token sequence that finds a text within others; null if it has no letter and no digit. */
export function sequenceOf(text: string): Sequence | null {
  const runs = runsOf(text)
  const last = runs.at(-1)
  if (last === undefined) return null
  const before = tokensOf(
    runs
      .slice(0, -1)
      .map((one) => one.text)
      .join(' '),
  )
  const characters = [...last.text]
  if (!last.isUnspaced) return { tokens: [...before, cut(last.text)], isOpen: false }
  // The indexed text may continue, so that its last character is the beginning of a pair.
  return characters.length === 1
    ? { tokens: [...before, last.text], isOpen: true }
    : { tokens: [...before, ...pairsOf(characters, false)], isOpen: false }
}

function pairsOf(characters: readonly string[], withLast: boolean): string[] {
  const pairs = characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ''))
  return withLast ? [...pairs, characters.at(-1) ?? ''] : pairs
}

function cut(word: string): string {
  return word.length <= longestToken ? word : [...word].slice(0, longestToken).join('')
}
