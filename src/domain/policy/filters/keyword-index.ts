import type { FilterKeyword } from '../../../contract/filters'
import { isValidHashtag, normaliseHashtag, WORD_CLASS } from '../../../contract/text/hashtag'
import { ruleFor } from '../../../lib/html-rules'

interface Needle {
  readonly place: number
  readonly text: string
  readonly wholeWord: boolean
  /** Normalised name if the keyword is a hashtag, so that `#Café` matches `#cafe`, as everywhere else. */
  readonly tag: string | null
}

const buckets = 8_192
/** Keywords are indexed by so many letters of their beginning; shorter ones by their whole length. */
const startLength = 3
const inHashtag = new RegExp(`[${WORD_CLASS}]`, 'uy')

/**
 * Finds many keywords in one pass over a text, by an index of their first letters. Keywords are literal: no
 * character has a special meaning.
 */
export class KeywordIndex {
  readonly #byStart = new Map<string, Needle[]>()
  /** Bit filter that rules out nearly every position at which no keyword begins. */
  readonly #starts = new Uint8Array(buckets)
  readonly #lengths = new Set<number>()
  readonly #byTag = new Map<string, number[]>()

  constructor(keywords: readonly Pick<FilterKeyword, 'keyword' | 'wholeWord'>[]) {
    for (const [place, { keyword, wholeWord }] of keywords.entries()) this.#add(place, keyword, wholeWord)
  }

  /** Indexes of the keywords found in a folded text, or among hashtags by their normalised names. */
  find(text: string, tags: readonly string[]): ReadonlySet<number> {
    const found = new Set<number>()
    for (const tag of tags) for (const place of this.#byTag.get(tag) ?? []) found.add(place)
    for (const length of this.#lengths) this.#findStarts(text, length, found)
    return found
  }

  #findStarts(text: string, length: number, found: Set<number>): void {
    const starts = this.#starts
    const shift = shiftFor(length)
    const last = text.length
    let hash = 0
    for (let index = 0; index < last; index += 1) {
      hash = ((hash << shift) ^ text.charCodeAt(index)) & (buckets - 1)
      if (starts[hash] === 1 && index + 1 >= length) this.#checkAt(text, index + 1 - length, length, found)
    }
  }

  #add(place: number, keyword: string, wholeWord: boolean): void {
    const text = foldText(keyword).trim()
    const name = text.startsWith('#') ? text.slice(1) : ''
    const tag = isValidHashtag(name) ? normaliseHashtag(name) : null
    if (tag !== null) append(this.#byTag, tag, place)
    // Keywords of white space or invisible characters alone are empty here, and match nothing.
    if (text === '') return
    const start = text.slice(0, startLength)
    append(this.#byStart, start, { place, text, wholeWord, tag })
    this.#lengths.add(start.length)
    let hash = 0
    for (let index = 0; index < start.length; index += 1)
      hash = ((hash << shiftFor(start.length)) ^ start.charCodeAt(index)) & (buckets - 1)
    this.#starts[hash] = 1
  }

  #checkAt(text: string, start: number, length: number, found: Set<number>): void {
    for (const needle of this.#byStart.get(text.slice(start, start + length)) ?? [])
      if (text.startsWith(needle.text, start) && !found.has(needle.place) && isWhole(needle, text, start))
        found.add(needle.place)
  }
}

function isWhole({ text: word, wholeWord, tag }: Needle, text: string, start: number): boolean {
  if (!wholeWord) return true
  const end = start + word.length
  if (isInsideWord(text, start)) return false
  // Hashtags have word boundaries of their own: #猫 is not the beginning of #猫好き.
  return tag === null ? !isInsideWord(text, end) : !goesOn(text, end)
}

function goesOn(text: string, end: number): boolean {
  inHashtag.lastIndex = end
  return inHashtag.test(text)
}

/** Shift per letter in a hash of the last `length` letters: older ones are shifted out of the 13 bits. */
function shiftFor(length: number): number {
  return Math.ceil(13 / length)
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

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
function isInsideWord(text: string, index: number): boolean {
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

const plain = /^[\0-\x7f]*$/

/** Invisible characters: soft hyphen, word joiner, byte order mark, variation selectors. */
const unseen = /\u00ad|\u2060|\ufeff|\ufe0e|\ufe0f/g

/** Apostrophes and quotation marks as typography has them, and keyboards do not. */
const apostrophe = /[\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032]/g
const quotationMark = /[\u201c-\u201f\u00ab\u00bb]/g

/**
 * Folds a text for comparison: Unicode composition, width, case, apostrophes and quotation marks are unified, and any white
 * space within a line becomes one space. Accents count, as they do in Mastodon.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return collapsed(text).toLowerCase()
  // To upper case first: that unifies ß and SS. Final sigma only stands at the end of a word.
  const folded = text.replace(unseen, '').normalize('NFKC').toUpperCase().toLowerCase()
  return collapsed(folded.replaceAll('ς', 'σ').replace(apostrophe, "'").replace(quotationMark, '"'))
}

function collapsed(text: string): string {
  return /[^\S\n ]| {2}/.test(text) ? text.replace(/[^\S\n]+/g, ' ') : text
}

const entity = /&(?:amp|lt|gt|quot|nbsp|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
}

/**
 * Extracts the text of sanitised HTML, one paragraph a line. Much faster than `htmlToText`, which accepts
 * unbalanced and unescaped input: a whole page is matched in less than a millisecond.
 */
export function sanitisedHtmlToText(html: string): string {
  const source = html.replaceAll('\n', ' ')
  let words = ''
  let end = 0
  for (let start = source.indexOf('<'); start >= 0; start = source.indexOf('<', end)) {
    words += source.slice(end, start) + separatorAt(source, start + 1)
    end = source.indexOf('>', start) + 1
    if (end === 0) return words
  }
  words += source.slice(end)
  return words.includes('&') ? words.replace(entity, decode) : words
}

/** Separator for a tag: empty for inline elements, a space for a line break, a line break for block elements. */
function separatorAt(html: string, nameStart: number): string {
  const start = html.charCodeAt(nameStart) === slash ? nameStart + 1 : nameStart
  let end = start
  while (isInName(html.charCodeAt(end))) end += 1
  const element = html.slice(start, end)
  if (element === 'br') return ' '
  const rule = ruleFor(element)
  return rule === 'inline' || rule === 'unwrapped' ? '' : '\n'
}

const slash = 47

/** Whether the code is a small letter or a digit. */
function isInName(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}

function decode(found: string, decimal: string | undefined, hex: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  if (Number.isNaN(code)) return entities[found.toLowerCase()] ?? found
  return code <= 0x10_ffff ? String.fromCodePoint(code) : found
}
