import { Parser } from 'htmlparser2'
import { isActivityType } from './content-type'

/** Address of the ActivityPub document that a page links to (`<link rel="alternate">`), or null. */
export function alternateOf(html: string, pageUrl: string): string | null {
  let found: string | null = null
  const parser = new Parser({
    onopentag(name, { rel = '', type, href }) {
      if (found !== null || name !== 'link' || href === undefined || !isActivityType(type ?? null)) return
      if (!rel.toLowerCase().split(/\s+/).includes('alternate')) return
      found = URL.parse(href, pageUrl)?.href ?? null
      parser.reset()
    },
  })
  parser.end(html)
  return found
}
