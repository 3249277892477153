import { isValidHashtag, normaliseHashtag, WORD_CLASS } from '../hashtag'
import { isInsideWord } from './boundary'
import { foldText } from './fold'
import type { FilterKeyword } from './rule'

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
