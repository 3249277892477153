import { type SQL, sql } from 'drizzle-orm'
import type { UserSettings } from '../../db/schema/accounts'
import type { AccountId, ApplicationId } from '../../lib/ids'

/** The signed-in person on whose behalf we read and write. */
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
 * Who reads, as SQL: an id, or a sub-select by token hash, so that a page can be selected in the trip that
 * also finds out who asks. `signedIn` is false for anonymous readers, whose statements then stay smaller.
 */
export interface ViewerRef {
  readonly id: SQL
  readonly signedIn: boolean
  /** Names the reader from one request to the next, where it is one whose filters count. */
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

export function viewerRefOf(viewer: Viewer | null): ViewerRef {
  return viewer === null ? anonymousViewer : viewerById(viewer.id)
}

/** A condition given as constant SQL that calls the viewer `me.id` and, where `now` is given, the time `me.now`. */
export function bindViewer(viewer: ViewerRef, condition: string, now?: Date): SQL {
  const time = now === undefined ? sql`` : sql`, ${now.getTime()} as now`
  return sql`exists (select 1 from (select ${viewer.id} as id${time}) me where ${sql.raw(condition)})`
}
