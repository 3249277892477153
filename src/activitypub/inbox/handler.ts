import { usernameIn } from '../../contract/addresses'
import { done, type Outcome } from '../../domain/core/changes'
import type { Imported } from '../../domain/statuses/remote/import'
import type { RemoteStatus } from '../../domain/statuses/remote/remote-status'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../verify-request'
import type { Activity } from '../vocab/activity'
import { isUnreadable, type Reference } from '../vocab/json'
import { isStatusDocument, readStatus } from '../vocab/status'

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

/**
 * Inlined status of an activity, where its author, the signer and its origin agree: such a copy is as good as the
 * document at its address. Null for any other copy, which proves nothing.
 */
export function readOwnPost(signer: Signer, { id, document }: Reference, now: Date): RemoteStatus | null {
  if (!isStatusDocument(document)) return null
  const status = readStatus(document, { authorFollowers: signer.followers, now })
  return !isUnreadable(status) && status.author === signer.uri && status.uri === id ? status : null
}

/** Outcome of importing a status. */
export function outcomeOf(imported: Imported): Outcome {
  switch (imported.kind) {
    case 'stored':
      return done
    case 'duplicate':
      return { kind: 'ignored', reason: 'already known' }
    default:
      return imported
  }
}
