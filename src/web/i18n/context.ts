import { type Child, createContext, useContext } from 'hono/jsx'
import { type Look, usualLook } from '../../contract/look'
import { createTranslate, type Translate } from '../../lib/translate'
import type { Reader } from './reader'

/** Translation of texts with elements of a page in them. */
export type PageTranslate = Translate<Child>

/** Reader of the page that is rendered, the translation into the language of that person, and the look they chose. */
export interface Localized {
  readonly reader: Reader
  readonly t: PageTranslate
  /** Absent for visitors. */
  readonly look?: Look
}

/** Pages that are rendered by themselves, as tests do, are English and in UTC. */
export const LocalizedContext = createContext<Localized>({
  reader: { language: 'en', timeZone: 'UTC' },
  t: createTranslate<Child>('en', {}),
})

export function useTranslation(): PageTranslate {
  return useContext(LocalizedContext).t
}

export function useReader(): Reader {
  return useContext(LocalizedContext).reader
}

/** Look of the page for its reader. */
export function useLook(): Look {
  return useContext(LocalizedContext).look ?? usualLook
}
