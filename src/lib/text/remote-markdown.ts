import MarkdownIt from 'markdown-it'
import { escapeHtml } from '../html'
import { allowedHref } from '../html-rules'
import { lazy } from '../lazy'

const parser = lazy(createParser)

/**
 * Renders Markdown of other servers to HTML, which is still to be sanitised: paragraphs, line breaks, lists, quotes, code,
 * emphasis, links, also bare ones. Pictures become links; raw HTML stays visible text.
 */
export function renderRemoteMarkdown(source: string): string {
  return parser().render(source).trim()
}

function createParser() {
  const made = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 20 })
  // Words with a dot are no links: `readme.md` is a file.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  made.validateLink = (url) => allowedHref(url) !== null
  made.renderer.rules['image'] = (tokens, index) => {
    const image = tokens[index]
    const address = String(image?.attrGet('src') ?? '')
    return `<a href="${escapeHtml(address)}">${escapeHtml(image?.content || address)}</a>`
  }
  return made
}
