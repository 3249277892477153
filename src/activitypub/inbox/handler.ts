import type { Ctx } from '../../context'
import type { Outcome } from '../../domain/outcome'
import type { Signer } from '../keys'

/** What somebody elsewhere did, with what it names still to be read. */
export interface Activity {
  readonly id: string | null
  readonly type: string
  readonly actor: string
  readonly object: unknown
  readonly target: unknown
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly published: Date | null
  /** The whole document. */
  readonly raw: Readonly<Record<string, unknown>>
}

/**
 * Does what an activity asks for. The signer is its actor, and may speak here; its id is on their host.
 *
 * Whatever strangers may send comes to an outcome; only failures of our own throw.
 */
export type InboxHandler = (ctx: Ctx, signer: Signer, activity: Activity) => Promise<Outcome>
