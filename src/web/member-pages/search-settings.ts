import { foldText } from '../../domain/search/words'
import type { WebSession } from '../../domain/sessions/web-session'
import type { PageTranslate } from '../i18n/context'
import { type MemberPage, settingsTopics } from './declaration'
import { placesFor } from './menu'

/** A page of settings that a search found. */
export interface FoundSetting {
  readonly path: string
  readonly label: string
  /** Texts on the page that match, beside its label. */
  readonly found: readonly string[]
}

const mostFound = 4

/** Pages of settings with labels in the language of the reader that contain every word of `text`, in the order of the menu. */
export function searchSettings(
  pages: readonly MemberPage[],
  session: WebSession,
  t: PageTranslate,
  text: string,
): readonly FoundSetting[] {
  const terms = termsOf(text)
  if (terms.length === 0) return []
  return placesFor(pages, 'settings', session).flatMap(({ path, label, topic, title, words }) => {
    const keys = [title, ...(topic === undefined ? [] : [settingsTopics[topic]]), ...words]
    const texts = [...new Set([label, ...keys].map((key) => t(key)))]
    const folded = foldText(texts.join(' '))
    if (!terms.every((term) => folded.includes(term))) return []
    const matching = texts.filter((one) => terms.some((term) => foldText(one).includes(term)))
    const found = matching.filter((one) => one !== t(label)).slice(0, mostFound)
    return [{ path, label: t(label), found }]
  })
}

function termsOf(text: string): readonly string[] {
  return foldText(text)
    .split(/\s+/)
    .filter((term) => term !== '')
}
