import { allowedClassList, allowedHref, ruleFor } from './html-rules'
import { type Attributes, type HtmlVisitor, walkHtml } from './html-walk'
import { cutToBytes, utf8Bytes } from './text/bytes'

/** Elements nested deeper lose their tags and keep their text. */
const MAX_DEPTH = 64

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element and for a quoted attribute. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, escapeCharacter) : text
}

function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, escapeCharacter) : text
}

function escapeCharacter(character: string): string {
  return escapes[character] ?? character
}

export interface SanitiseOptions {
  /** Removes the reference to a quoted status (`quote-inline`), meant for software without quotes. */
  readonly withoutQuoteInline?: boolean
  /** Truncates the result at this size: HTML may be many times as long as the text it comes from. */
  readonly maxBytes?: number
  /** Marks where the HTML was truncated: at a word, with an ellipsis and this HTML at the end, both within `maxBytes`. */
  readonly ending?: string
  /** Input that was truncated before. */
  readonly isTruncated?: boolean
}

/**
 * Sanitises remote HTML: balanced, and limited to what Mastodon clients expect and a browser can show without
 * risk. Sanitising twice changes nothing.
 *
 * Headings become strong paragraphs. A link with another scheme than `allowedHref` accepts keeps only its text.
 */
export function sanitiseHtml(html: string, options: SanitiseOptions = {}): string {
  const writer = new SafeWriter(options)
  walkHtml(html, writer)
  return writer.finish()
}

type Frame = { readonly close: string; readonly kind: 'link' | 'paragraph' | 'block' | 'other' }

const unwrapped: Frame = { close: '', kind: 'other' }

const ELLIPSIS = '…'
/** Characters that are given up to end at a word; languages without spaces end anywhere. */
const MAX_WORD = 80

class SafeWriter implements HtmlVisitor {
  private html = ''
  private lastCharacter = '>'
  private wantsSpace = false
  private openLinks = 0
  private openParagraphs = 0
  private depth = 0
  private leftOut = 0
  private readonly frames: Frame[] = []
  /** Bytes left beside the closing tags of open elements. */
  private bytesLeft: number
  private isFull = false

  constructor(private readonly options: SanitiseOptions) {
    const { maxBytes = Number.POSITIVE_INFINITY, ending } = options
    this.bytesLeft = ending === undefined ? maxBytes : maxBytes - utf8Bytes(ELLIPSIS + ending)
  }

  open(element: string, attributes: Attributes): void {
    if (this.leftOut > 0 || this.isLeftOut(attributes)) {
      this.leftOut++
      return
    }
    const frame = this.enter(element, attributes)
    this.frames.push(frame)
    if (frame.close !== '') this.depth++
    if (frame.kind === 'link') this.openLinks++
    if (frame.kind === 'paragraph') this.openParagraphs++
  }

  close(): void {
    if (this.leftOut > 0) {
      this.leftOut--
      return
    }
    const frame = this.frames.pop() ?? unwrapped
    if (frame.kind === 'block') this.wantsSpace = true
    if (frame.close === '') return
    this.append(frame.close)
    this.depth--
    if (frame.kind === 'link') this.openLinks--
    if (frame.kind === 'paragraph') this.openParagraphs--
  }

  text(text: string): void {
    if (text === '' || this.leftOut > 0 || this.isFull) return
    if (this.wantsSpace && !/[\s>]/.test(this.lastCharacter) && !/^\s/.test(text)) this.write(' ')
    this.wantsSpace = false
    const escaped = escapeText(text)
    if (this.takes(escaped)) this.append(escaped)
    // An entity that was cut in two is removed as a whole.
    else this.truncate(cutToBytes(escaped, this.bytesLeft).replace(/&[#a-z0-9]*$/, ''))
  }

  finish(): string {
    this.leftOut = 0
    const { isTruncated = false, ending } = this.options
    if (isTruncated) this.truncate('')
    while (this.frames.length > 0) this.close()
    return this.isFull && ending !== undefined ? this.html + ending : this.html
  }

  /** Ends the text after `rest`; only the first call counts. */
  private truncate(rest: string): void {
    if (this.isFull) return
    this.isFull = true
    this.append(rest)
    if (this.options.ending === undefined) return
    const start = this.html.lastIndexOf('>') + 1
    const text = this.html.slice(start)
    const end = Math.max(text.search(/\s\S*$/), 0)
    if (text.length - end <= MAX_WORD) this.html = this.html.slice(0, start + end)
    this.append(ELLIPSIS)
  }

  private isLeftOut(attributes: Attributes): boolean {
    if (this.options.withoutQuoteInline !== true) return false
    return (attributes['class'] ?? '').split(/\s+/).includes('quote-inline')
  }

  /** Reserves room for `html`; false without room. After `truncate`, nothing is appended. */
  private takes(html: string): boolean {
    if (this.bytesLeft === Number.POSITIVE_INFINITY) return true
    const bytes = utf8Bytes(html)
    if (this.isFull || bytes > this.bytesLeft) return false
    this.bytesLeft -= bytes
    return true
  }

  private write(html: string): void {
    if (this.takes(html)) this.append(html)
    else this.truncate('')
  }

  private append(html: string): void {
    this.html += html
    this.lastCharacter = html.charAt(html.length - 1)
  }

  private enter(element: string, attributes: Attributes): Frame {
    const rule = ruleFor(element)
    if (element === 'br') {
      this.write('<br />')
      return unwrapped
    }
    const isBlock = rule === 'block' || rule === 'heading'
    // Paragraphs cannot hold blocks: a browser would close one early and break the nesting of the page.
    if (rule === 'separating' || (isBlock && this.openParagraphs > 0)) return this.separate()
    if (rule === 'unwrapped' || this.depth >= MAX_DEPTH) return isBlock ? this.separate() : unwrapped
    if (element === 'a') return this.enterLink(attributes)
    if (rule === 'heading') return this.start('<p><strong>', '</strong></p>', 'paragraph')
    const kind = element === 'p' ? 'paragraph' : 'other'
    return this.start(`<${element}${keptAttributes(element, attributes)}>`, `</${element}>`, kind)
  }

  private separate(): Frame {
    this.wantsSpace = true
    return { close: '', kind: 'block' }
  }

  private start(open: string, close: string, kind: Frame['kind']): Frame {
    if (this.wantsSpace && kind !== 'paragraph' && !/[\s>]/.test(this.lastCharacter)) this.write(' ')
    this.wantsSpace = false
    if (!this.takes(open + close)) {
      this.truncate('')
      return unwrapped
    }
    this.append(open)
    return { close, kind }
  }

  private enterLink(attributes: Attributes): Frame {
    const href = allowedHref(attributes['href'] ?? '')
    if (href === null || this.openLinks > 0) return unwrapped
    const kept = keptAttributes('a', attributes)
    const open = `<a href="${escapeHtml(href)}"${kept} rel="nofollow noopener noreferrer" target="_blank">`
    return this.start(open, '</a>', 'link')
  }
}

function keptAttributes(element: string, attributes: Attributes): string {
  switch (element) {
    case 'a':
    case 'span':
      return classAttribute(attributes) + (attributes['translate'] === 'no' ? ' translate="no"' : '')
    case 'p':
      return classAttribute(attributes)
    case 'ol':
      return (
        numberAttribute('start', attributes) + (attributes['reversed'] === undefined ? '' : ' reversed=""')
      )
    case 'li':
      return numberAttribute('value', attributes)
    default:
      return ''
  }
}

function classAttribute(attributes: Attributes): string {
  const classes = allowedClassList(attributes['class'] ?? '')
  return classes === '' ? '' : ` class="${classes}"`
}

function numberAttribute(name: string, attributes: Attributes): string {
  const value = attributes[name] ?? ''
  return /^-?\d{1,9}$/.test(value) ? ` ${name}="${value}"` : ''
}

/**
 * The text of HTML: blocks separated by a blank line, `br` and list items on lines of their own, entities
 * decoded, white space collapsed except in `pre`.
 */
export function htmlToText(html: string): string {
  const writer = new TextWriter()
  walkHtml(html, writer)
  return writer.finish()
}

class TextWriter implements HtmlVisitor {
  private words = ''
  private lineBreaks = 0
  private wantsSpace = false
  private readonly openElements: string[] = []

  open(element: string): void {
    if (element === 'br') this.lineBreaks++
    this.separate(element)
    this.openElements.push(element)
  }

  close(): void {
    this.separate(this.openElements.pop() ?? '')
  }

  text(text: string): void {
    if (this.openElements.includes('pre')) {
      this.add(text)
      return
    }
    const words = text.replace(/[ \t\n\r\f]+/g, ' ')
    const trimmed = words.trim()
    this.wantsSpace ||= words.startsWith(' ')
    if (trimmed === '') return
    this.add(trimmed)
    this.wantsSpace = words.endsWith(' ')
  }

  finish(): string {
    return this.words.trim()
  }

  private add(words: string): void {
    if (this.words !== '') this.words += '\n'.repeat(this.lineBreaks) || (this.wantsSpace ? ' ' : '')
    this.words += words
    this.lineBreaks = 0
    this.wantsSpace = false
  }

  private separate(element: string): void {
    const rule = ruleFor(element)
    if (rule !== 'block' && rule !== 'heading' && rule !== 'separating') return
    const isTight = rule === 'separating' || element === 'li' || this.openElements.includes('li')
    this.lineBreaks = Math.max(this.lineBreaks, isTight ? 1 : 2)
  }
}
