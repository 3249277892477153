import { Parser } from 'htmlparser2'
import { allowedHref, ruleFor } from './html-rules'
import { withoutControls } from './text/bytes'

const MAX_INPUT_CHARACTERS = 256 * 1024
// Only an attack nests deeper, and every further level makes each tag slower to parse.
const MAX_OPEN_ELEMENTS = 512

export type Attributes = Readonly<Record<string, string>>

export interface HtmlVisitor {
  open(element: string, attributes: Attributes): void
  /** Closes the element opened last. */
  close(): void
  /** Decoded text without control characters. */
  text(text: string): void
}

/**
 * Reports the elements and text of tolerant HTML in order, without comments and elements that must never be
 * shown (scripts, styles, frames, foreign content). A formula is reported as its text.
 *
 * Every `close` has its `open`; elements still open at the end are not closed. Input beyond 256 Ki characters
 * or 512 open elements is not read.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  let openElements = 0
  let droppedElements = 0
  let formula: FormulaReader | null = null
  const parser = new Parser({
    onopentag(element, attributes) {
      openElements++
      const isTooDeep = openElements > MAX_OPEN_ELEMENTS
      if (isTooDeep) parser.pause()
      if (isTooDeep || droppedElements > 0 || ruleFor(element) === 'dropped') {
        if (element === 'math' && droppedElements === 0) formula = new FormulaReader(attributes)
        else formula?.open(element, attributes)
        droppedElements++
      } else visitor.open(element, attributes)
    },
    onclosetag() {
      openElements--
      if (droppedElements === 0) visitor.close()
      else if (--droppedElements > 0) formula?.close()
      else if (formula !== null) {
        visitor.text(formula.finish())
        formula = null
      }
    },
    ontext(text) {
      if (droppedElements === 0) visitor.text(withoutControls(text))
      else formula?.write(withoutControls(text))
    },
  })
  parser.end(html.slice(0, MAX_INPUT_CHARACTERS).toWellFormed())
}

/** Bounds what one formula may hold while it is read. */
const MAX_CHARACTERS = 16 * 1024

/**
 * Reads the text of a MathML formula (FEP-dc88): the TeX or plain text that annotates its `semantics`, first child of `math`.
 *
 * TeX stands between dollar signs, twice of them for a block, as in Mastodon. Without an annotation the text is empty.
 */
class FormulaReader {
  private depth = 0
  private children = 0
  private isAnnotated = false
  private reading: 'tex' | 'plain' | null = null
  private readonly texts = { tex: '', plain: '' }
  private readonly sign: string

  constructor(math: Attributes) {
    this.sign = math['display'] === 'block' ? '$$' : '$'
  }

  open(element: string, attributes: Attributes): void {
    this.depth++
    if (this.depth === 1) this.isAnnotated = this.children++ === 0 && element === 'semantics'
    const isAnnotation = this.depth === 2 && this.isAnnotated && element === 'annotation'
    const kind = isAnnotation ? annotationKind(attributes) : null
    // The first annotation of a kind counts.
    if (kind !== null && this.texts[kind] === '') this.reading = kind
  }

  close(): void {
    if (this.depth === 2) this.reading = null
    this.depth--
  }

  write(text: string): void {
    if (this.reading === null) return
    this.texts[this.reading] = (this.texts[this.reading] + text).slice(0, MAX_CHARACTERS)
  }

  finish(): string {
    const tex = this.texts.tex.trim()
    return tex === '' ? this.texts.plain.trim() : `${this.sign}${tex}${this.sign}`
  }
}

function annotationKind(attributes: Attributes): 'tex' | 'plain' | null {
  const encoding = attributes['encoding']?.trim().toLowerCase()
  if (encoding === 'application/x-tex') return 'tex'
  return encoding === 'text/plain' ? 'plain' : null
}

const socialMarks: ReadonlySet<string> = new Set(['mention', 'hashtag', 'u-url', 'tag'])

/**
 * The http(s) links of an HTML text, each once and in order, without mentions, hashtags and the reference to a
 * quoted status (`quote-inline`).
 */
export function findLinks(html: string): string[] {
  if (!html.includes('<a ')) return []
  const found = new Set<string>()
  const reference = new Reference()
  walkHtml(html, {
    open(element, attributes) {
      reference.open(attributes)
      const href = element === 'a' && !reference.isOpen ? allowedHref(attributes['href'] ?? '') : null
      if (href !== null && !isSocial(attributes) && /^https?:/i.test(href)) found.add(href)
    },
    close: () => reference.close(),
    text: () => undefined,
  })
  return [...found]
}

/** Tracks whether the walk is inside the reference to a quoted status. */
class Reference {
  #depth = 0

  get isOpen(): boolean {
    return this.#depth > 0
  }

  open(attributes: Attributes): void {
    if (this.isOpen || marksOf(attributes).includes('quote-inline')) this.#depth += 1
  }

  close(): void {
    if (this.isOpen) this.#depth -= 1
  }
}

function isSocial(attributes: Attributes): boolean {
  return marksOf(attributes).some((mark) => socialMarks.has(mark))
}

function marksOf(attributes: Attributes): readonly string[] {
  return `${attributes['class'] ?? ''} ${attributes['rel'] ?? ''}`.split(/\s+/)
}
