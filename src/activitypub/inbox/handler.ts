import type { Outcome } from '../../domain/core/outcome'
import { usernameIn } from '../../lib/addresses'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'

/**
 * Handles an activity. The signer is its actor and is allowed to federate; its id, if any, is on the signer's server.
 * All other content is unproven. `inbox` is the username of a local account's own inbox; null for the shared inbox.
 *
 * Any remote input leads to an outcome; only local failures throw.
 */
export type InboxHandler = (
  ctx: Ctx,
  signer: Signer,
  activity: Activity,
  inbox: string | null,
) => Promise<Outcome>

/** Username of the local account with this actor id. */
export function localUsernameOf(ctx: Ctx, uri: string | null): string | null {
  return uri === null ? null : usernameIn(ctx.config.origin, uri)
}

/** Id of an object the signer undoes, or null where it is on another server: ids of other servers stay valid. */
export function ownId(signer: Signer, uri: string | null): string | null {
  return uri !== null && sameOrigin(uri, signer.uri) ? uri : null
}
