import { escapeHtml } from './html'

/** Serialised XML. Only `element` makes it. */
export interface Xml {
  readonly markup: string
}

type Attributes = Readonly<Record<string, string | undefined>>

/** Serialises an element with its attributes, except undefined ones, and its children; text is escaped. */
export function element(name: string, attributes: Attributes, ...children: readonly (Xml | string)[]): Xml {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escapeXml(value)}"`,
  )
  const inside = children
    .map((child) => (typeof child === 'string' ? escapeXml(child) : child.markup))
    .join('')
  const start = `<${name}${written.join('')}`
  return { markup: inside === '' ? `${start}/>` : `${start}>${inside}</${name}>` }
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.markup}\n`
}

// XML 1.0 forbids these, escaped or not: any of them makes a whole document unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Escapes text for an element and for a quoted attribute; characters that XML forbids are removed. */
function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(forbidden, ''))
}
