import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer'

/** Part of a style sheet that is refused: its line, its text, and whether it is not allowed or cannot be read. */
export interface RefusedCss {
  readonly kind: 'forbidden' | 'unreadable'
  readonly line: number
  readonly part: string
}

/** Rules with a block of rules. Any other that begins with an at sign loads something, or names what the pages have names for. */
const allowedRules: ReadonlySet<string> = new Set([
  'media',
  'supports',
  'container',
  'starting-style',
  'keyframes',
])

/** Functions of values and selectors, by which nothing is loaded. */
const allowedFunctions: ReadonlySet<string> = new Set(
  `abs acos asin atan atan2 blur brightness calc calc-size circle clamp color color-mix conic-gradient contrast cos counter counters
  cubic-bezier dir drop-shadow ellipse env exp fit-content grayscale has hsl hsla hue-rotate hwb hypot inset invert is lab lang lch
  light-dark linear linear-gradient log matrix matrix3d max min minmax mod not nth-child nth-last-child nth-last-of-type nth-of-type
  oklab oklch opacity path perspective polygon pow radial-gradient rect rem repeat repeating-conic-gradient
  repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez round saturate scale scale3d
  scalex scaley scalez selector sepia shape sign sin skew skewx skewy sqrt steps style tan translate translate3d translatex
  translatey translatez var where xywh`.split(/\s+/),
)

const closing: ReadonlyMap<TokenType, TokenType> = new Map([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
])
const closers: ReadonlySet<TokenType> = new Set(closing.values())

/** Brackets within each other, so that reading takes little of the stack. */
const deepest = 16

/**
 * Reads a style sheet of rules and declarations as CSS Syntax Level 3 has them, and names the first part that is refused; null
 * where there is none. Whatever leads to an address is refused, however it is escaped: `url()`, `src()`, `image-set()`, `@import`,
 * `@font-face`. So are rules without a block, and declarations without a value.
 */
export function refusedCss(text: string): RefusedCss | null {
  let damaged: number | null = null
  const tokens = tokenize({ css: text }, { onParseError: ({ sourceStart }) => (damaged ??= sourceStart) })
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const refused = (kind: RefusedCss['kind'], token: CSSToken): RefusedCss => ({
    kind,
    line: lineAt(token[2]),
    part: token[1].slice(0, 40),
  })
  // No rule needs it, and in an element of a page it would end the style.
  const markup = text.indexOf('</')
  if (markup !== -1) return { kind: 'forbidden', line: lineAt(markup), part: '</' }
  const forbidden = tokens.find(isForbidden)
  if (forbidden !== undefined) return refused('forbidden', forbidden)
  if (damaged !== null)
    return { kind: 'unreadable', line: lineAt(damaged), part: text.slice(damaged, damaged + 40) }
  const open = unbalanced(tokens)
  if (open !== null) return refused('unreadable', open)
  const stray = new Reader(tokens.filter(isMeaningful)).readRules()
  return stray === null ? null : refused('unreadable', stray)
}

function isMeaningful([type]: CSSToken): boolean {
  return type !== TokenType.Whitespace && type !== TokenType.Comment
}

function isForbidden(token: CSSToken): boolean {
  switch (token[0]) {
    case TokenType.URL:
    case TokenType.BadURL:
    case TokenType.CDO:
    case TokenType.CDC:
    case TokenType.UnicodeRange:
      return true
    case TokenType.Function:
      return !allowedFunctions.has(token[4].value.toLowerCase())
    case TokenType.AtKeyword:
      return !allowedRules.has(token[4].value.toLowerCase())
    default:
      return false
  }
}

/** The first bracket without its other half, or below too many. */
function unbalanced(tokens: readonly CSSToken[]): CSSToken | null {
  const open: CSSToken[] = []
  for (const token of tokens) {
    if (closing.has(token[0])) {
      open.push(token)
      if (open.length > deepest) return token
    } else if (closers.has(token[0])) {
      const opened = open.pop()
      if (opened === undefined || closing.get(opened[0]) !== token[0]) return token
    }
  }
  return open.at(-1) ?? null
}

/** Reads balanced tokens as rules. Its methods answer the token at which they failed; null where they did not. */
class Reader {
  readonly #tokens: readonly CSSToken[]
  #at = 0

  constructor(tokens: readonly CSSToken[]) {
    this.#tokens = tokens
  }

  /** Rules up to the end of the sheet. */
  readRules(): CSSToken | null {
    while (this.#type() !== TokenType.EOF) {
      const failed = this.#readRule()
      if (failed !== null) return failed
    }
    return null
  }

  #type(ahead = 0): TokenType {
    return this.#tokens[this.#at + ahead]?.[0] ?? TokenType.EOF
  }

  #token(): CSSToken {
    const token = this.#tokens[this.#at] ?? this.#tokens.at(-1)
    if (token === undefined) throw new Error('a style sheet has an end')
    return token
  }

  /** Selectors or an at-rule, and the block after them. */
  #readRule(): CSSToken | null {
    const first = this.#token()
    const length = this.#lengthTo([TokenType.OpenCurly, TokenType.Semicolon, TokenType.CloseCurly])
    if (length === 0 || this.#type(length) !== TokenType.OpenCurly) return first
    this.#at += length + 1
    return this.#readBlock()
  }

  /** Declarations and rules up to the end of the block. */
  #readBlock(): CSSToken | null {
    while (this.#type() !== TokenType.CloseCurly) {
      const failed = this.#readPart()
      if (failed !== null) return failed
    }
    this.#at += 1
    return null
  }

  #readPart(): CSSToken | null {
    if (this.#type() === TokenType.Semicolon) {
      this.#at += 1
      return null
    }
    const length = this.#lengthTo([TokenType.OpenCurly, TokenType.Semicolon, TokenType.CloseCurly])
    if (this.#type(length) === TokenType.OpenCurly) return this.#readRule()
    const isDeclaration = this.#type() === TokenType.Ident && this.#type(1) === TokenType.Colon && length > 2
    if (!isDeclaration) return this.#token()
    this.#at += length
    return null
  }

  /** Number of tokens before the next of these types, or the end. */
  #lengthTo(types: readonly TokenType[]): number {
    let length = 0
    while (this.#type(length) !== TokenType.EOF && !types.includes(this.#type(length))) length += 1
    return length
  }
}
