import { trimEnd } from '../../lib/text/bytes'

/** In UTF-16 units, as typed and as compared: some characters become eighteen when they are folded. */
export const hashtagLimits = { units: 140 } as const

// Word characters in Mastodon, and the joiners it allows inside a hashtag: middle dot, katakana middle dot and
// zero-width (non-)joiners, which Persian and Indic scripts are written with.
export const WORD_CLASS = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}'
const NON_JOINER = '\u200C'
const ZERO_WIDTH = `${NON_JOINER}\u200D`
const JOINERS = `·・${ZERO_WIDTH}`

const nameRun = new RegExp(`[${WORD_CLASS}${JOINERS}]+`, 'uy')
const wordStart = new RegExp(`^[${WORD_CLASS}]`, 'u')
const innerSeparator = new RegExp(`[_·・${NON_JOINER}]`, 'u')
const letter = /\p{Alphabetic}/u
const notAscii = /[^ -~]/
const digit = /\p{Nd}/u
const notInName = new RegExp(`[^\\p{L}\\p{M}\\p{N}_${JOINERS}]|[\\u0300-\\u036f]`, 'gu')

/** The hashtag name that starts at `start` (just behind the `#`), or null. */
export function matchHashtagName(text: string, start: number): string | null {
  nameRun.lastIndex = start
  const run = nameRun.exec(text)?.[0] ?? ''
  const bare = trimEnd(run, JOINERS)
  const next = run.charAt(bare.length)
  // The last letter may take its form from it.
  const name = next !== '' && ZERO_WIDTH.includes(next) ? bare + next : bare
  return isName(name) ? name : null
}

// Mastodon takes digits alone for a number, but digits held together by a separator (#2024_05) for a name.
function isName(name: string): boolean {
  if (!wordStart.test(name) || isLong(name)) return false
  return letter.test(name) || (digit.test(name) && innerSeparator.test(name.slice(1, -1)))
}

function isLong(name: string): boolean {
  const { units } = hashtagLimits
  return name.length > units || (notAscii.test(name) && normaliseHashtag(name).length > units)
}

/** Whether `name`, without its `#`, is a valid hashtag in a status. */
export function isValidHashtag(name: string): boolean {
  return name !== '' && matchHashtagName(name, 0) === name
}

const nameCharacters = new RegExp(`^[${WORD_CLASS}\\p{N}${JOINERS}]+$`, 'u')

/**
 * The key of the hashtag in an address; null if invalid. More permissive than for local statuses: other servers
 * send hashtags of digits alone.
 */
export function readHashtag(name: string): string | null {
  if (name.length > hashtagLimits.units || !nameCharacters.test(name)) return null
  const key = normaliseHashtag(name)
  return /[\p{L}\p{N}]/u.test(key) ? key : null
}

/**
 * The key under which a hashtag is stored and found: compatibility-composed, lower case, Latin diacritics
 * folded to the base letter, other characters removed.
 *
 * Marks outside Latin stay, and joiners behind them, unlike in Mastodon, which breaks Indic words by dropping both.
 * Joiners that change no letter go, so that hashtags that look alike are one.
 */
export function normaliseHashtag(name: string): string {
  const key = name.normalize('NFKC').toLowerCase().replace(foldable, foldLetter).replace(notInName, '')
  return zeroWidth.test(key) ? withoutIdleJoiners(key) : key
}

const zeroWidth = new RegExp(`[${ZERO_WIDTH}]`)

function withoutIdleJoiners(key: string): string {
  const joined = key.replace(/(?<!\p{M})\u200D/gu, '').replace(/^\u200C+|(?<=\u200C)\u200C+/g, '')
  return trimEnd(joined, NON_JOINER).normalize('NFC')
}

// Latin-1 Supplement and Latin Extended-A only, as in Mastodon: Vietnamese and the rest keep their marks.
const foldable = /[\u00c0-\u017f]/g
const strokeLetters = new Map([
  ['ð', 'd'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ĸ', 'k'],
  ['ł', 'l'],
  ['ŋ', 'n'],
  ['ø', 'o'],
  ['ŧ', 't'],
])

function foldLetter(letter: string): string {
  return strokeLetters.get(letter) ?? letter.normalize('NFD').charAt(0)
}
