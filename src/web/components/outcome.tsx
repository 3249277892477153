import { createContext, useContext } from 'hono/jsx'
import type { TextKey } from '../../lib/translate'
import { useTranslation } from '../i18n/context'
import type { Markup } from '../page'
import { Banner } from './banner'

/** Changes of a form, and the card whose button sent it. */
export interface Saved {
  /** Labels of the fields that are another than before; null where the notice says it all. */
  readonly changed: readonly TextKey[] | null
  /** Name of the card that shows the notice; null for the top of the page. */
  readonly at: string | null
}

const SavedContext = createContext<Saved>({ changed: null, at: null })

/** `page` with what a form has changed, which its notice names. */
export function withSaved(saved: Saved, page: Markup): Markup {
  return <SavedContext.Provider value={saved}>{page}</SavedContext.Provider>
}

export interface OutcomeProps {
  /** Confirmation of a submitted form. */
  readonly message: TextKey | null
  /** Name of the card around it; none at the top of the page. */
  readonly at?: string
}

/** Confirmation of a submitted form, where its button is. Takes the focus: it is seen, and read out first. */
export function Outcome({ message, at }: OutcomeProps) {
  const t = useTranslation()
  const { changed, at: place } = useContext(SavedContext)
  if (message === null || place !== (at ?? null)) return null
  const list = new Intl.ListFormat(t.language, { style: 'short', type: 'unit' })
  return (
    <Banner kind="success" takesFocus>
      <p>{t(message)}</p>
      {changed !== null && (
        <p>
          {changed.length === 0
            ? t('form.nothingHasChanged')
            : t('form.changedFields', { fields: list.format(changed.map((label) => t(label))) })}
        </p>
      )}
    </Banner>
  )
}
