import { createContext, useContext } from 'hono/jsx'
import type { Reader } from './reader'
import { createTranslate, type Translate } from './translate'

/** Reader of the page that is rendered, and the translation into the language of that person. */
export interface Localized {
  readonly reader: Reader
  readonly t: Translate
}

/** Pages that are rendered by themselves, as tests do, are English and in UTC. */
export const LocalizedContext = createContext<Localized>({
  reader: { language: 'en', timeZone: 'UTC' },
  t: createTranslate('en', {}),
})

export function useTranslation(): Translate {
  return useContext(LocalizedContext).t
}

export function useReader(): Reader {
  return useContext(LocalizedContext).reader
}
