import type { Outcome } from '../../domain/core/outcome'
import { usernameIn } from '../../lib/addresses'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'

/**
 * Does what an activity asks for. The signer is its actor, and may speak here; its id, where it has one, is on
 * their server. What the activity carries along is otherwise unproven. `inbox` names the person whose own inbox it
 * was delivered to, if there is such a person; null for the inbox of the server.
 *
 * Whatever strangers may send comes to an outcome; only failures of our own throw.
 */
export type InboxHandler = (
  ctx: Ctx,
  signer: Signer,
  activity: Activity,
  inbox: string | null,
) => Promise<Outcome>

/** The name of the local person an activity is about, by the id of their actor. */
export function localUsernameOf(ctx: Ctx, uri: string | null): string | null {
  return uri === null ? null : usernameIn(ctx.config.origin, uri)
}

/** An id of something the signer undoes, as far as it can be theirs: nobody makes the ids of others void. */
export function ownId(signer: Signer, uri: string | null): string | null {
  return uri !== null && sameOrigin(uri, signer.uri) ? uri : null
}
