import { readCatalogue } from '../../../scripts/lib/messages.mjs'
import type { TextKey } from '../../../src/lib/translate'

/** The text of pages for a key, of one that has no values. */
export function translated(language: string, key: TextKey): string {
  const found = readCatalogue(language)[key]
  if (found === undefined) throw new Error(`public/messages/${language}.json has no ${key}`)
  return found
}
