import { allowedHref } from './html-rules'
import { type Attributes, walkHtml } from './html-walk'

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
