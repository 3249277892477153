import type { Ctx } from '../../context'
import { ignored, type Outcome } from '../../domain/outcome'
import type { Signer } from '../keys'
import type { Activity } from '../vocab/activity'
import { accept, reject } from './answer'
import { block } from './block'
import { deleteActor } from './delete-actor'
import { flag } from './flag'
import { follow } from './follow'
import type { InboxHandler } from './handler'
import { undo } from './undo'

/** What is done about each type of activity: the one answer, on one screen. */
const handlers: Readonly<Record<string, InboxHandler>> = {
  Accept: accept,
  Block: block,
  Delete: selfOr(deleteActor, pass),
  Flag: flag,
  Follow: follow,
  Reject: reject,
  Undo: undo,
}

/** Hands an activity to the handler of its type; types nobody here knows are ignored. */
export async function dispatch(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const handle = Object.hasOwn(handlers, activity.type) ? handlers[activity.type] : undefined
  return (handle ?? pass)(ctx, signer, activity)
}

/** One handler for what actors do to themselves, another for what they do to something of theirs. */
function selfOr(self: InboxHandler, other: InboxHandler): InboxHandler {
  return (ctx, signer, activity) => (activity.object?.id === signer.uri ? self : other)(ctx, signer, activity)
}

async function pass(_ctx: Ctx, _signer: Signer, { type }: Activity): Promise<Outcome> {
  return ignored(`nothing is done about ${type}`)
}
