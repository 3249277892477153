import MarkdownIt from 'markdown-it'
import { allowedHref } from '../html-rules'

const parser = createParser()

/**
 * Renders Markdown written by the operator: about page, privacy policy, terms.
 *
 * Raw HTML stays visible text and links lead only where statuses may lead, so the result is safe. Headings
 * begin at the second level, as the first belongs to the page around the text, and never skip one: readers find
 * their way by the levels, writers choose them by the look.
 */
export function renderDocument(source: string): string {
  return parser.render(source).trim()
}

function createParser() {
  const made = new MarkdownIt({ html: false, linkify: false, maxNesting: 20 })
  made.disable('image')
  made.validateLink = (url) => url.startsWith('#') || url.startsWith('/') || allowedHref(url) !== null
  made.core.ruler.push('heading_levels', ({ tokens }) => {
    const open: number[] = []
    for (const token of tokens) {
      if (token.type === 'heading_open') {
        const level = Number(token.tag.slice(1))
        while ((open.at(-1) ?? 0) >= level) open.pop()
        open.push(level)
      }
      if (token.type === 'heading_open' || token.type === 'heading_close')
        token.tag = `h${Math.min(open.length + 1, 6)}`
    }
  })
  return made
}
