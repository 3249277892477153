import { Parser } from 'htmlparser2'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a line
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Reduces untrusted text to one plain line of at most `mostCharacters`. Still text: escape it in HTML. */
export function plainLine(text: string, mostCharacters: number): string {
  const head = text.slice(0, 4 * mostCharacters).toWellFormed()
  const line = head.replace(controlCharacters, '').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= mostCharacters) return line
  return `${characters
    .slice(0, mostCharacters - 1)
    .join('')
    .trimEnd()}…`
}

/** A text with its entities decoded: many servers write texts of JSON as HTML. Tags stay text. */
export function decodeEntities(text: string, mostCharacters: number): string {
  if (!text.includes('&')) return text
  const words: string[] = []
  const parser = new Parser({ ontext: (part) => void words.push(part) })
  parser.end(text.slice(0, mostCharacters).replaceAll('<', '&lt;'))
  return words.join('')
}

const mostAddressCharacters = 2_048

/** Resolves a web address against the address of its page; null for other schemes. */
export function webAddress(text: string, base: string): string | null {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed.length > mostAddressCharacters) return null
  const url = URL.parse(trimmed, base)
  if (url === null || !/^https?:$/.test(url.protocol) || url.host === '') return null
  if (url.username !== '' || url.password !== '' || url.href.length > mostAddressCharacters) return null
  return url.href
}

/** Resolves an https address; others are neither fetched nor embedded. */
export function secureAddress(text: string, base: string): string | null {
  const address = webAddress(text, base)
  return address === null ? null : address.replace(/^http:/, 'https:')
}
