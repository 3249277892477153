// A document as the content of a page: Markdown with anchors, tables that scroll, and links of the site.
import MarkdownIt from 'markdown-it'
import { anchorOf, targetOf } from './addresses.mjs'

/** Renders a document: its HTML, title, headings of the second level, and files of the project that it shows. */
export function render({ path, text }, { documents, repository }) {
  const markdown = new MarkdownIt({ html: true })
  const headings = []
  const files = new Set()
  let title = path
  const lead = (link) => {
    const { href, file } = targetOf(link, { path, documents, repository })
    if (file !== undefined) files.add(file)
    return href
  }
  const rules = markdown.renderer.rules
  rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'
  rules.heading_open = (tokens, index) => {
    const { tag, attrs } = tokens[index]
    return `<${tag} id="${attrs[0][1]}">`
  }
  rules.fence = (tokens, index) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index].content)}</code></pre>\n`
  rules.html_block = (tokens, index) => withLinks(tokens[index].content)
  rules.html_inline = (tokens, index) => withLinks(tokens[index].content)
  const withLinks = (html) =>
    html
      .replaceAll(/<!--[\s\S]*?-->\n?/g, '')
      .replaceAll(/\b(src|href)="([^"]+)"/g, (_, name, link) => `${name}="${lead(link)}"`)

  const tokens = markdown.parse(text, {})
  const seen = new Map()
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const words = plainText(tokens[index + 1])
      const anchor = anchorOf(words, seen)
      token.attrSet('id', anchor)
      if (token.tag === 'h1') title = words
      if (token.tag === 'h2') headings.push({ anchor, words })
    }
    replaceLinks(token.children ?? [], lead)
  })
  return { html: markdown.renderer.render(tokens, markdown.options, {}), title, headings, files }
}

/** Text of a heading without its marks. */
function plainText(inline) {
  return inline.children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
}

/** Leads links and pictures of a line to their places; a link to a source without an address stays as its words. */
function replaceLinks(tokens, lead) {
  const open = []
  for (const token of tokens) {
    if (token.type === 'image') {
      token.attrSet('src', lead(token.attrGet('src')))
      token.attrSet('loading', 'lazy')
    }
    if (token.type === 'link_open') {
      const href = lead(token.attrGet('href'))
      if (href !== null) token.attrSet('href', href)
      open.push(href === null ? 'span' : 'a')
      if (href === null) Object.assign(token, { tag: 'span', attrs: null })
    }
    if (token.type === 'link_close') token.tag = open.pop()
  }
}
