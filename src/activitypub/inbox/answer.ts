import type { Ctx } from '../../context'
import { ignored } from '../../domain/outcome'
import { receiveAccept, receiveReject } from '../../domain/relationships/receive-answer'
import type { Signer } from '../keys'
import { hasType, idOf, type Reference } from '../vocab/json'
import { type InboxHandler, localTarget } from './handler'

/** Somebody lets one of ours follow them. */
export const accept: InboxHandler = async (ctx, signer, { object }) => {
  const username = requesterIn(ctx, signer, object)
  return username === null ? ignored('accepts no Follow of ours') : receiveAccept(ctx, signer, username)
}

/** Somebody does not, or no longer. */
export const reject: InboxHandler = async (ctx, signer, { object }) => {
  const username = requesterIn(ctx, signer, object)
  return username === null ? ignored('rejects no Follow of ours') : receiveReject(ctx, signer, username)
}

/**
 * Who of ours made the Follow that is answered. A copy names its actor. An id of ours begins with the address of
 * the actor, and an id somebody else made up (some answer a Follow by a name of their own) tells nothing.
 */
export function requesterIn(ctx: Ctx, signer: Signer, follow: Reference | null): string | null {
  const copy = follow?.document ?? null
  if (copy === null || !('actor' in copy)) return localTarget(ctx, follow?.id?.split('#')[0] ?? null)
  if (!hasType(copy, 'Follow')) return null
  const followed = idOf(copy['object'])
  // Nobody answers for others.
  return followed === null || followed === signer.uri ? localTarget(ctx, idOf(copy['actor'])) : null
}
