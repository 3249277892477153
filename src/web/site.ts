import type { ExplorePlace } from './explore-places'

/** The server as pages show it, from configuration and settings. */
export interface Site {
  readonly title: string
  /** Bare host, with the port where there is one. */
  readonly domain: string
  /** Host of the server, as apps ask for it. Handles may have another domain. */
  readonly host: string
  readonly version: string
  readonly sourceUrl: string
  /** False leaves out the link to terms of service, as none are written. */
  readonly hasTerms: boolean
  /** Path or address where members begin. */
  readonly start: string
  /** Web client that the operator recommends; null for none. */
  readonly client: { readonly name: string; readonly url: string } | null
  /** Addresses of the logo of the operator; null for that of the software. */
  readonly logo: { readonly large: string; readonly small: string } | null
  /** Path of the style sheet with the accent colour of the operator; null for the colours of the software. */
  readonly accentSheet: string | null
  /** Path of the style sheet with the tokens of the operator; null for none. */
  readonly ownSheet: string | null
  /** Path of the CSS of the operator; null for none, and on pages that do not load it. */
  readonly customSheet: string | null
  /** Pages for visitors that are open to the reader. */
  readonly places: readonly ExplorePlace[]
}

export interface AccountSummary {
  readonly displayName: string
  /** `name` for local accounts, `name@host` for remote ones. */
  readonly acct: string
  readonly url: string
  readonly avatarUrl: string
}

export interface RuleText {
  readonly id: string
  readonly text: string
  readonly hint: string
}

export type SignUpState = 'open' | 'approval' | 'closed'

/** An account with a role that its profile shows. */
export interface StaffMember {
  readonly account: AccountSummary
  readonly role: string
}

/** Contact of the server. An operator may have named neither. */
export interface Contact {
  readonly email: string | null
  readonly account: AccountSummary | null
}
