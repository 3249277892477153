import { Parser } from 'htmlparser2'
import { isActivityType } from './content-type'

/** The address under which a page says that its ActivityPub document is (`<link rel="alternate">`), or null. */
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
