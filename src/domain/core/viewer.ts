import { type SQL, sql } from 'drizzle-orm'
import type { UserSettings } from '../../db/schema/accounts'
import type { AccountId, ApplicationId } from '../../lib/ids'

/** Signed-in account on whose behalf the server reads and writes. */
export interface Viewer {
  readonly id: AccountId
  readonly username: string
  readonly locked: boolean
  /** Set when moderators limit the account. */
  readonly silenced: boolean
  readonly locale: string
  readonly settings: UserSettings
  readonly permissions: number
  readonly applicationId: ApplicationId | null
}

/**
 * The viewer as SQL: an id, or a subquery by credential, so that a page can be selected in the same round trip that
 * resolves the credential. `signedIn` is false for anonymous viewers, whose statements are smaller.
 */
export interface ViewerRef {
  readonly id: SQL
  readonly signedIn: boolean
  /** Identifies the viewer across requests, for caching their filters. */
  readonly key?: string
}

export const anonymousViewer: ViewerRef = { id: sql`null`, signedIn: false }

export function viewerById(id: AccountId): ViewerRef {
  return { id: sql`${id}`, signedIn: true, key: `account ${id}` }
}

export function viewerByToken(tokenHash: string): ViewerRef {
  const id = sql`(select account_id from access_tokens where token_hash = ${tokenHash})`
  return { id, signedIn: true, key: `token ${tokenHash}` }
}

export function viewerByCredential({ kind, hash }: Credential): ViewerRef {
  if (kind === 'token') return viewerByToken(hash)
  const id = sql`(select account_id from sessions where token_hash = ${hash})`
  return { id, signedIn: true, key: `session ${hash}` }
}

/** The moderator as a reader of statuses: what they favourited and bookmarked shows; the operator has no account. */
export function viewerOfModerator({ accountId }: Pick<Moderator, 'accountId'>): ViewerRef {
  return accountId === null ? anonymousViewer : viewerById(accountId)
}

export function viewerRefOf(viewer: Viewer | null): ViewerRef {
  return viewer === null ? anonymousViewer : viewerById(viewer.id)
}

/** A condition given as constant SQL that calls the viewer `me.id` and, where `now` is given, the time `me.now`. */
export function bindViewer(viewer: ViewerRef, condition: string, now?: Date): SQL {
  const time = now === undefined ? sql`` : sql`, ${now.getTime()} as now`
  return sql`exists (select 1 from (select ${viewer.id} as id${time}) me where ${sql.raw(condition)})`
}

/**
 * What names the caller of a request: the access token of an app, or the session of a browser. The hashes of the two never
 * meet: each is made with the name of its kind.
 */
export interface Credential {
  readonly kind: 'token' | 'session'
  readonly hash: string
}

/** The one who performs an administrative command: a staff member through API or pages, or the operator by a script. */
export interface Moderator {
  /** Null for the operator. */
  readonly accountId: AccountId | null
  /** Empty for the operator. */
  readonly username: string
  /** Permission bits, those of administrators complete. */
  readonly permissions: number
  /** Position of the role; null for the operator, who ranks above every role. */
  readonly position: number | null
  /** Client address; null if missing. */
  readonly ip: string | null
}

/** A moderator with an account. */
export interface StaffMember extends Moderator {
  readonly accountId: AccountId
  readonly position: number
}

/** The remote account whose verified activity a command handles. */
export interface RemoteSender {
  readonly id: AccountId
}
