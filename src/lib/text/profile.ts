import { parseLine, parseText } from './parse'
import { renderText, type TextLinks } from './render'
import { findEntities } from './scan'

/** Renders a biography, like a plain status. */
export function renderPlainText(text: string, links: TextLinks): string {
  return renderText(parseText(text, 'text/plain'), links)
}

/** Renders a profile field's value: one line, no paragraph, links with rel="me". */
export function renderFieldValue(text: string, links: TextLinks): string {
  return renderText(parseLine(text), links, { relMe: true, withDomains: true })
}

/**
 * For each field value, the https address to verify, or null.
 *
 * Only a value that is a single address can be verified, and, as in Mastodon, only if it has no credentials and
 * its host is written in ASCII: a look-alike host must not earn the check mark.
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
