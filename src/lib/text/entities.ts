import { ENTITY_NAMES } from './entity-names'

/**
 * Stands in for `entities` in the bundle, of which htmlparser2 and markdown-it ask what is here, and answers as it
 * does: the library's packed tree of names would be a twenty-fifth of the bundle.
 */
export const DecodingMode = { Legacy: 0, Strict: 1, Attribute: 2 }

// Asked for, but nothing here reads XML or has the library write a document.
export const htmlDecodeTree = null
export const xmlDecodeTree = null
export const encodeXML = null
export const escapeAttribute = null
export const escapeText = null

const { values, sorted, withoutSemicolon } = readNames()

function readNames() {
  const values = new Map<string, string>()
  const withoutSemicolon = new Set<string>()
  let next = 0
  let ending = ''
  for (const word of ENTITY_NAMES.split(/\s/)) {
    if (word.startsWith('+')) {
      ending = String.fromCodePoint(Number.parseInt(word, 16))
      next = 0
    } else if (/^\d/.test(word)) next += Number(word)
    else {
      const value = String.fromCodePoint(next++) + ending
      for (const name of word.split(',')) {
        const bare = name.replace('~', '')
        values.set(bare, value)
        if (bare !== name) withoutSemicolon.add(bare)
      }
    }
  }
  return { values, sorted: [...values.keys()].sort(), withoutSemicolon }
}

/** Of the sorted names from `low` on and before `high`, the first whose character at `index` is not below `code`. */
function firstFrom(low: number, high: number, index: number, code: number): number {
  if (low === high) return low
  const middle = (low + high) >> 1
  const found = sorted[middle]?.charCodeAt(index) || 0
  return found < code ? firstFrom(middle + 1, high, index, code) : firstFrom(low, middle, index, code)
}

/** What HTML takes the numbers from 128 on for, which name control characters: those of Windows-1252. */
const windows1252 = [
  ...[0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021],
  ...[0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f],
  ...[0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014],
  ...[0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178],
]

function codePointOf(number: number): number {
  if (number === 0 || number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return 0xfffd
  return windows1252[number - 0x80] ?? number
}

/** Decodes all that ends with a semicolon. */
export function decodeHTMLStrict(html: string): string {
  return html.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hexadecimal, decimal, name) => {
    if (name !== undefined) return values.get(name) ?? all
    const number = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return String.fromCodePoint(codePointOf(number))
  })
}

/** Reads what follows an ampersand, in as many pieces as it comes. */
export class EntityDecoder {
  readonly #emit: (codePoint: number, length: number) => void
  #mode = DecodingMode.Strict
  /** With the ampersand. */
  #length = 1
  #base: 0 | 10 | 16 = 0
  #number = 0
  /** Of how many characters the name is, and which of the sorted names begin so. */
  #nameLength = 0
  #low = 0
  #high = 0
  /** The longest name so far that needs no semicolon. */
  #found = ''

  constructor(_tree: null, emit: (codePoint: number, length: number) => void) {
    this.#emit = emit
  }

  startEntity(mode: number): void {
    this.#mode = mode
    this.#length = 1
    this.#base = 0
    this.#number = 0
    this.#nameLength = 0
    this.#low = 0
    this.#high = sorted.length
    this.#found = ''
  }

  /** The length of the entity; 0 when it is none; -1 while that is open. */
  write(input: string, offset: number): number {
    for (let index = offset; index < input.length; index++) {
      const character = input.charAt(index)
      const isNumber = this.#base > 0 || (this.#nameLength === 0 && character === '#')
      const length = isNumber ? this.#takeOfNumber(character) : this.#takeOfName(character)
      if (length >= 0) return length
    }
    return -1
  }

  /** As `write`, once nothing follows. */
  end(): number {
    return this.#base > 0 ? this.#endNumber('') : this.#endName('')
  }

  #takeOfNumber(character: string): number {
    if (this.#length === 1) this.#base = 10
    else if (this.#length === 2 && /x/i.test(character)) this.#base = 16
    else {
      const digit = Number.parseInt(character, this.#base)
      if (Number.isNaN(digit)) return this.#endNumber(character)
      this.#number = this.#number * this.#base + digit
    }
    this.#length++
    return -1
  }

  #endNumber(next: string): number {
    const hasDigits = this.#length > (this.#base === 16 ? 3 : 2)
    if (!hasDigits || (next !== ';' && this.#mode === DecodingMode.Strict)) return 0
    if (next === ';') this.#length++
    this.#emit(codePointOf(this.#number), this.#length)
    return this.#length
  }

  #takeOfName(character: string): number {
    const name = this.#name()
    if (character === ';' && name !== '') return this.#emitName(name, 2)
    const code = character.charCodeAt(0)
    const low = firstFrom(this.#low, this.#high, this.#nameLength, code)
    const high = firstFrom(low, this.#high, this.#nameLength, code + 1)
    if (low === high) return this.#endName(character)
    this.#low = low
    this.#high = high
    this.#nameLength++
    if (this.#mode !== DecodingMode.Strict && withoutSemicolon.has(this.#name())) this.#found = this.#name()
    return -1
  }

  /** What was read, where that is a name; as the shortest that begins so it is the first. */
  #name(): string {
    const name = sorted[this.#low] ?? ''
    return name.length === this.#nameLength ? name : ''
  }

  #endName(next: string): number {
    if (this.#found === '') return 0
    // In an attribute it may be part of an address: `?a=1&copy=2`.
    const isDoubtful = this.#found.length < this.#nameLength || /[\da-z=]/i.test(next)
    if (this.#mode === DecodingMode.Attribute && isDoubtful) return 0
    return this.#emitName(this.#found, 1)
  }

  /** `around` are the characters besides the name: the ampersand and, perhaps, the semicolon. */
  #emitName(name: string, around: 1 | 2): number {
    const length = name.length + around
    const value = values.get(name) ?? ''
    for (let index = 0; index < value.length; index++) this.#emit(value.charCodeAt(index), length)
    return length
  }
}
