import type * as z from 'zod'
import type { Permission } from '../../domain/policy/permissions'
import type { WebSession } from '../../domain/sessions/web-session'
import type { Island } from '../../lib/assets'
import type { TextKey } from '../../lib/translate'
import type { AppContext } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import type { Form } from '../csrf'
import type { PageError } from '../error-texts'
import type { Markup } from '../page'
import type { ScriptNeed } from '../page-policy'
import type { QuestionWords } from './question'

/**
 * Sessions that may open a page: any, any whose account is confirmed and approved, or those with a permission.
 * `restricted`: any, and those of suspended and disabled accounts.
 */
export type PageAccess = 'restricted' | 'signed-in' | 'active' | Permission

/** A sentence about what a form has done, or a function that withholds it from a session it is not true for. */
export type Notice = TextKey | ((session: WebSession) => TextKey | null)

/** The link of a page in the menu. Links are shown by their order, lowest first; two pages never have the same. */
export interface MenuPlace {
  readonly label: TextKey
  readonly order: number
  /** Group of the menu of settings; the menu of administration has none. */
  readonly group?: SettingsGroup
  /** Entry that it shares with other pages of settings: tabs lead from one to the others. */
  readonly topic?: SettingsTopic
}

/** The properties of a page that routes, menu and tests read. */
export interface PageDeclaration {
  /** The menu it belongs to. */
  readonly kind: 'settings' | 'admin'
  readonly path: `/${string}`
  /** Title of the document; the view shows it. */
  readonly title: TextKey
  readonly access: PageAccess
  /** Shown to those who have to set up a second factor before anything else: the page where they do. */
  readonly isBeforeTwoFactor?: boolean
  /** Shown also to those who have not seen new terms of service: what a person needs who does not agree. */
  readonly isBeforeTerms?: boolean
  /** Link in the menu; null for pages that other pages lead to. */
  readonly menu: MenuPlace | null
  /** Further texts on the page by which the search of settings finds it, beside its labels. */
  readonly words?: readonly TextKey[]
  /** False leaves the link out of the menu of a session. */
  readonly isListed?: (session: WebSession) => boolean
  /** Path of the page that shows its notices, if it does not show them itself. */
  readonly noticesAt?: string
}

/** A page for signed-in users as a value: routes, guards, menu and tests read the same. */
export interface MemberPage extends PageDeclaration {
  readonly notices: Readonly<Record<string, Notice>>
  readonly labels?: Readonly<Record<string, TextKey>>
  readonly routes: readonly PageRoute[]
}

export interface PageRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** Whether a page asks before the form does anything. */
  readonly asks?: boolean
  /** `pages` are all pages mounted together: the menu and the notices come from them. */
  handle(c: AppContext, pages: readonly MemberPage[]): Promise<Response>
}

/**
 * Outcome of a form: a notice on the page that shows them, another page, a problem of the form as a whole, or a page
 * shown at once, for secrets that are shown one time and stand in no address.
 */
export type Submitted<N extends string> =
  | Done<N>
  | { readonly redirectTo: string }
  | { readonly problem: PageError | readonly PageError[] }
  | { readonly show: Markup }

export interface Done<N extends string> {
  readonly notice: N
  /** Fields that are another than before; the notice names those with a label. */
  readonly changed?: readonly string[]
  /** Card of the page that shows the notice, by name. */
  readonly at?: string
  /** Path of a form of the page whose fields were sent along and are not saved: it shows them again. */
  readonly keeps?: string
}

/** A form of a page. */
export interface Submission<I, N extends string> {
  /** Path it is sent to, if not that of the page. */
  readonly path?: string
  readonly methods?: readonly ('POST' | 'DELETE')[]
  /** Stricter access than that of the page. */
  readonly access?: PageAccess
  /** A button rather than a form to fill in: a refusal shows the error page, and sign-in does not lead back. */
  readonly isCommand?: true
  /**
   * Question that a page of administration asks before the form does anything; null where it asks none. Throws as `run`
   * does, so that nothing is asked about what would be refused.
   */
  ask?(call: SubmissionCall<I>): Promise<QuestionWords | null>
  /** Throws `Invalid` by field to show the form again with its problems. */
  run(call: SubmissionCall<I>): Promise<Submitted<N>>
}

export interface SubmissionCall<I> {
  readonly c: AppContext
  readonly ctx: Ctx
  readonly session: WebSession
  readonly input: I
}

/** A file for the owner of the session. */
export interface Download {
  readonly path: string
  send(c: AppContext, session: WebSession): Response | Promise<Response>
}

/** Input of a view. */
export interface PageView<F> {
  readonly session: WebSession
  readonly found: F
  readonly isRefused: boolean
  /** The fields of a refused form as typed; before that all are empty. */
  readonly typed: Form
}

export type FieldOf<S extends z.ZodObject> = keyof z.output<S> & string

/** Request for a page, as its data are read. */
export interface PageQuery {
  readonly session: WebSession
  /** Parameter of the address; empty where absent. */
  readonly query: (name: string) => string
  /** The number in `:id` of the path; null if it is none. */
  readonly id: number | null
  /** Another part of the path; empty where it has none of this name. */
  readonly param: (name: string) => string
}

export interface PageSpec<S extends z.ZodObject, F, N extends string> extends PageDeclaration {
  /** The fields of its forms, each read as text; a missing one is empty. */
  readonly form: S
  /** The fields among them that hold files, read as text. */
  readonly fileFields?: readonly FieldOf<S>[]
  /** The fields among them that hold files, read as bytes (`uploadField`). */
  readonly uploadFields?: readonly FieldOf<S>[]
  readonly submissions: readonly Submission<z.output<S>, N>[]
  /** The one script that the page may run; none otherwise. */
  readonly script?: Island
  /** Needs of that script beyond the page itself. */
  readonly needs?: readonly ScriptNeed[]
  readonly notices: Readonly<Record<N, Notice>>
  /** Labels of fields, by which notices name what was changed. */
  readonly labels?: Readonly<Record<string, TextKey>>
  /** Further paths that show the page. */
  readonly alsoAt?: readonly string[]
  /** Addresses that redirect to the page, as those that Mastodon has. */
  readonly redirectsFrom?: readonly string[]
  readonly downloads?: readonly Download[]
  /** Reads the data of the page; null if the account no longer exists. */
  load(ctx: Ctx, request: PageQuery): F | null | Promise<F | null>
  view(page: PageView<F>): Markup
}

/** Groups of the menu of settings with their headings, in their order. */
export const settingsGroups = {
  profile: 'settings.menu.you',
  look: 'settings.menu.lookAndLanguage',
  reach: 'settings.menu.whatReachesYou',
  posts: 'settings.menu.postsData',
  security: 'settings.menu.signingIn',
  account: 'field.account',
} as const

type SettingsGroup = keyof typeof settingsGroups

/** Entries of the menu of settings that several pages share. */
export const settingsTopics = {
  notifications: 'client.notifications',
  copies: 'settings.importsExports.importAndExport',
  devices: 'settings.menu.appsAndBrowsers',
  signIn: 'settings.menu.passwordAndPasskeys',
} as const

type SettingsTopic = keyof typeof settingsTopics
