/** Elements whose content is text, and comments: JSON-LD in them is no element of the page. */
const openings = /<(?:!--|(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>]))/gi
const closings: Readonly<Record<string, RegExp>> = Object.fromEntries(
  'script style textarea title xmp iframe noembed noframes'
    .split(' ')
    .map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')]),
)
const dataType =
  /\stype\s*=\s*(?:"\s*application\/ld\+json\s*"|'\s*application\/ld\+json\s*'|application\/ld\+json(?=[\s/>]))/i
/** Longest tag of a script that is read. */
const tagCharacters = 2_048

/**
 * Finds the JSON-LD in the body of a page, which comes in pieces. Only scripts are looked for: parsing a megabyte of markup
 * would take fifty times as long. Time and memory are linear in the page for any input.
 */
export class BodyDataScanner {
  readonly #found: (data: string) => void
  #pieces: string[] = []
  #length = 0
  /** Length from which on is scanned again: scanning each piece would take time by its square. */
  #nextScan = 16_384

  constructor(found: (data: string) => void) {
    this.#found = found
  }

  write(text: string): void {
    this.#pieces.push(text)
    this.#length += text.length
    if (this.#length >= this.#nextScan) this.scan()
  }

  /** Scans what has not been scanned; elements that are still open are left to the next time. */
  scan(): void {
    const text = this.#pieces.join('')
    const rest = text.slice(this.#scanned(text))
    this.#pieces = [rest]
    this.#length = rest.length
    this.#nextScan = 16_384 + 2 * rest.length
  }

  /** Length of the part of the text that needs no further look. */
  #scanned(text: string): number {
    let at = 0
    for (;;) {
      openings.lastIndex = at
      const opening = openings.exec(text)
      if (opening === null) return Math.max(at, text.lastIndexOf('<'))
      const from = opening.index
      at = opening[1] === undefined ? endOfComment(text, from) : this.#endOfElement(text, from, opening[1])
      if (at < 0) return from
    }
  }

  #endOfElement(text: string, from: number, name: string): number {
    const content = text.indexOf('>', from) + 1
    const closing = closings[name.toLowerCase()]
    if (content === 0 || closing === undefined) return -1
    closing.lastIndex = content
    const end = closing.exec(text)?.index ?? -1
    if (end < 0) return -1
    const tag = text.slice(from, Math.min(content, from + tagCharacters))
    if (name.toLowerCase() === 'script' && dataType.test(tag)) this.#found(text.slice(content, end))
    return end + 1
  }
}

function endOfComment(text: string, from: number): number {
  const end = text.indexOf('-->', from + 2)
  return end < 0 ? -1 : end + 3
}
