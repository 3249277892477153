import { type Child, createContext, useContext } from 'hono/jsx'
import type { Island } from '../lib/assets'
import type { TextKey } from '../lib/translate'
import type { Form } from './csrf'
import type { FormErrors } from './form-errors'
import type { AccountSummary, Site } from './site'
import { nothingUnread, type Unread } from './unread'

export interface MenuEntry {
  readonly path: string
  readonly label: TextKey
  readonly order: number
}

/** Links of a menu under one heading. */
export interface MenuSection {
  readonly heading: TextKey
  readonly entries: readonly Omit<MenuEntry, 'order'>[]
}

/** Links to the settings under their headings. */
export interface SettingsMenu {
  readonly groups: readonly MenuSection[]
  /** Path of the entry that the page belongs to. */
  readonly current: string
  /** The pages that share that entry, with the one that is shown; empty where it has an entry of its own. */
  readonly tabs: readonly (Omit<MenuEntry, 'order'> & { readonly isCurrent: boolean })[]
}

/** A form that was sent and is shown again, and the path it was sent to. */
export interface SentForm {
  readonly action: string
  readonly form: Form
}

/** Changes of a form, and the card whose button sent it. */
export interface Saved {
  /** Labels of the fields that are another than before; null where the notice says it all. */
  readonly changed: readonly TextKey[] | null
  /** Name of the card that shows the notice; null for the top of the page. */
  readonly at: string | null
}

/** Pages that a reader may open: those of visitors, of members, of accounts that wait for approval, or only this one. */
export type Standing = 'visitor' | 'member' | 'waiting' | 'confined'

/** Properties that every part of a page may read; `showPage` provides them. */
export interface Page {
  readonly site: Site
  /** The signed-in account; null for visitors. */
  readonly viewer: AccountSummary | null
  readonly standing: Standing
  /** Null on pages without forms: caches may keep those, so they never have a token. */
  readonly csrfToken: string | null
  /** Problems of the form that was sent, by field and as a whole. */
  readonly errors: FormErrors<string>
  /** The form to show again, with typed values in its fields; null where saved values are shown. */
  readonly sent: SentForm | null
  /** Confirmation of a submitted form. */
  readonly message: TextKey | null
  readonly saved: Saved
  /** Links of the menu of administration or settings that the session gets. */
  readonly menu: readonly MenuEntry[]
  /** First administration page that the session may open; null without any. */
  readonly adminPath: string | null
  readonly settingsMenu: SettingsMenu
  /** Shown beside others in a frame: it has neither navigation nor bar. */
  readonly isColumn: boolean
  readonly unread: Unread
  /** Whether the browser is signed in to other accounts beside this one. */
  readonly hasSeveralAccounts: boolean
  /** The script that its policy allows; null for none. */
  readonly script: Island | null
}

const PageContext = createContext<Page | null>(null)

/** Around a page. */
export const PageProvider = PageContext.Provider

/** Properties of a page that its request has not given. */
export const emptyPage = {
  viewer: null,
  standing: 'visitor',
  csrfToken: null,
  errors: {},
  sent: null,
  message: null,
  saved: { changed: null, at: null },
  menu: [],
  adminPath: null,
  isColumn: false,
  settingsMenu: { groups: [], current: '', tabs: [] },
  script: null,
  hasSeveralAccounts: false,
  unread: nothingUnread,
} as const

/** Page whose problems are known only once its data are loaded, as those of a form that was kept. */
export function WithErrors({ errors, children }: Pick<Page, 'errors'> & { readonly children: Child }) {
  return <PageProvider value={{ ...usePage(), errors }}>{children}</PageProvider>
}

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('a part of a page was rendered outside of one')
  return page
}

/** The account of a page that only members open. */
export function useMember(): AccountSummary {
  const { viewer } = usePage()
  if (viewer === null) throw new Error('a page of members was rendered for a visitor')
  return viewer
}

/** The token of a form. A page with a form has to be shown with one. */
export function useCsrfToken(): string {
  const { csrfToken } = usePage()
  if (csrfToken === null) throw new Error('a page with a form was rendered without a CSRF token')
  return csrfToken
}

/**
 * Attributes of a form that people write in. Browsers fill forms again on the way back: with several accounts that could be what another
 * one wrote.
 */
export function useTypedForm(): { readonly autocomplete?: 'off' } {
  return usePage().hasSeveralAccounts ? { autocomplete: 'off' } : {}
}
