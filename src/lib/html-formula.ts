type Attributes = Readonly<Record<string, string>>

/** Bounds what one formula may hold while it is read. */
const MAX_CHARACTERS = 16 * 1024

/**
 * Reads the text of a MathML formula (FEP-dc88): the TeX or plain text that annotates its `semantics`, first child of `math`.
 *
 * TeX stands between dollar signs, twice of them for a block, as in Mastodon. Without an annotation the text is empty.
 */
export class FormulaReader {
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
