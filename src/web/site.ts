/** What every page knows of the server it belongs to. All of it comes from configuration and settings. */
export interface Site {
  readonly title: string
  /** Bare host, with the port where there is one. */
  readonly domain: string
  /** Where the server is reached, as apps ask for it. Handles may have another domain. */
  readonly host: string
  readonly version: string
  readonly sourceUrl: string
  /** There is no link to terms nobody has written. */
  readonly hasTerms: boolean
}

export interface AccountSummary {
  readonly displayName: string
  /** `name` for people of this server, `name@host` for others. */
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

/** What every page takes: the server, and who is signed in. */
export interface PageProps {
  readonly site: Site
  readonly viewer: AccountSummary | null
}

/** What every page with a form takes on top. */
export interface FormPageProps extends PageProps {
  readonly csrfToken: string
}

/** Whom to turn to. An operator may have named neither. */
export interface Contact {
  readonly email: string | null
  readonly account: AccountSummary | null
}
