import type { Ctx } from '../../context'
import type { DomainSeverity } from '../../db/schema/federation'
import type { Outcome } from '../../domain/outcome'
import type { AccountId } from '../../lib/ids'

/** Who signed a delivery, as the database knows them. */
export interface Signer {
  readonly id: AccountId
  readonly uri: string
  readonly username: string
  readonly domain: string
  readonly suspended: boolean
  readonly followers: string | null
  readonly limit: { readonly severity: DomainSeverity; readonly rejectReports: boolean } | null
}

/** What somebody elsewhere did, with what it names still to be read. */
export interface Activity {
  readonly id: string | null
  readonly type: string
  readonly actor: string
  readonly object: unknown
  readonly target: unknown
  readonly raw: unknown
}

/**
 * Does what an activity asks for. The signer is its actor, and may speak here; its id is on their host.
 *
 * Whatever strangers may send comes to an outcome; only failures of our own throw.
 */
export type InboxHandler = (ctx: Ctx, signer: Signer, activity: Activity) => Promise<Outcome>
