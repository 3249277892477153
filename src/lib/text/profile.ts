import { parseLine, parseText } from './parse'
import { renderText, type TextLinks } from './render'
import { findEntities } from './scan'

/** The HTML of a biography: that of a plain status. */
export function renderPlainText(text: string, links: TextLinks): string {
  return renderText(parseText(text, 'text/plain'), links)
}

/** The HTML of a profile field's value: one line, no paragraph, links that claim their page with rel="me". */
export function renderFieldValue(text: string, links: TextLinks): string {
  return renderText(parseLine(text), links, { relMe: true, withDomains: true })
}

/**
 * For each field value, the https address to verify, or null.
 *
 * Only a value that is nothing but one address can be verified, and, as in Mastodon, only if it names no
 * user and its host is written in ASCII: a look-alike host must not earn the check mark.
 */
export function findFieldLinks(values: readonly string[]): (string | null)[] {
  return values.map((value) => {
    const typed = value.trim()
    const [entity] = findEntities(typed)
    const isWhole = entity?.kind === 'url' && entity.start === 0 && entity.end === typed.length
    return isWhole && isVerifiable(typed) ? typed : null
  })
}

function isVerifiable(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && address.toLowerCase().startsWith(`https://${url.host}`)
}
