import MarkdownIt from 'markdown-it'
import { allowedHref } from '../html-rules'

const parser = createParser()

/**
 * Renders Markdown written by the operator: about page, privacy policy, terms.
 *
 * Raw HTML stays visible text and links lead only where statuses may lead, so the result is safe. Headings
 * begin at the second level: the first belongs to the page around the text.
 */
export function renderDocument(source: string): string {
  return parser.render(source).trim()
}

function createParser() {
  const made = new MarkdownIt({ html: false, linkify: false, maxNesting: 20 })
  made.disable('image')
  made.validateLink = (url) => url.startsWith('#') || url.startsWith('/') || allowedHref(url) !== null
  const demote = (name: string) => {
    made.renderer.rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index]
      if (token !== undefined) token.tag = `h${Math.min(Number(token.tag.slice(1)) + 1, 6)}`
      return self.renderToken(tokens, index, options)
    }
  }
  demote('heading_open')
  demote('heading_close')
  return made
}
