import { parseFeed } from 'htmlparser2'
import { SaxesParser } from 'saxes'
import { Browser, type Page } from './browser'

/** An element of a document that a strict parser has read. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

interface Draft {
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  text: string
}

/** Reads a document by all rules of XML 1.0 and its namespaces; throws at the first that is broken. */
export function readXml(document: string): XmlElement {
  const root: Draft = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('error', (failure) => {
    throw failure
  })
  parser.on('opentag', ({ name, attributes }) => {
    const pairs = Object.entries(attributes).map(([key, { value }]) => [key, value])
    open.push({ name, attributes: Object.fromEntries(pairs), children: [], text: '' })
  })
  parser.on('text', (text) => {
    const parent = open.at(-1)
    if (parent !== undefined) parent.text += text
  })
  parser.on('closetag', () => {
    const closed = open.pop()
    if (closed !== undefined) open.at(-1)?.children.push(closed)
  })
  parser.write(document).close()
  const [first] = root.children
  if (first === undefined) throw new Error('The document is empty')
  return first
}

/** The elements of this name anywhere below. */
export function all({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)])
}

/** The text of the first element of this name; null where there is none. */
export function textIn(element: XmlElement, name: string): string | null {
  return all(element, name)[0]?.text ?? null
}

/** A feed as strangers get it: read strictly, and as a reader of feeds understands it. */
export async function openFeed(path: string, browser = new Browser()) {
  const page = await browser.get(path, {
    headers: { accept: 'application/rss+xml, application/atom+xml, */*' },
  })
  if (page.status !== 200) throw new Error(`${path} answered ${page.status}`)
  const root = readXml(page.html)
  const feed = parseFeed(page.html)
  if (feed === null) throw new Error(`${path} is no feed`)
  return { page, root, feed, texts: saidIn(page) }
}

/** Words of a test's posts, such as `said-openly`, in order and each once. */
export function saidIn({ html }: Page): readonly string[] {
  return [...new Set([...html.matchAll(/said-[a-z-]+[a-z]/g)].map(([found]) => found))]
}
