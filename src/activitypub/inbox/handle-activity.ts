import { ignored, type Outcome } from '../../domain/core/outcome'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { accept, reject } from './accept-reject'
import { add, remove } from './add-remove'
import { announce } from './announce'
import { block } from './block'
import { create } from './create'
import { deleteActor } from './delete-actor'
import { deletePost } from './delete-post'
import { featureRequest } from './feature-request'
import { flag } from './flag'
import { follow } from './follow'
import type { InboxHandler } from './handler'
import { announceRequest, likeRequest, replyRequest } from './interaction-requests'
import { emojiReact, like } from './like'
import { move } from './move'
import { quoteRequest } from './quote-request'
import { undo } from './undo'
import { updateActor } from './update-actor'
import { updatePost } from './update-post'

/** Handler of each activity type. */
const handlers: Readonly<Record<string, InboxHandler>> = {
  Accept: accept,
  Add: add,
  Announce: announce,
  AnnounceRequest: announceRequest,
  Block: block,
  Create: create,
  Delete: actorOrObject(deleteActor, deletePost),
  EmojiReact: emojiReact,
  FeatureRequest: featureRequest,
  Flag: flag,
  Follow: follow,
  Like: like,
  LikeRequest: likeRequest,
  Move: move,
  QuoteRequest: quoteRequest,
  Reject: reject,
  Remove: remove,
  ReplyRequest: replyRequest,
  Undo: undo,
  Update: actorOrObject(updateActor, updatePost),
}

/** Dispatches an activity to the handler of its type; unknown types are ignored. */
export async function handleActivity(
  ctx: Ctx,
  signer: Signer,
  activity: Activity,
  inbox: string | null = null,
): Promise<Outcome> {
  const handle = Object.hasOwn(handlers, activity.type) ? handlers[activity.type] : undefined
  return (handle ?? pass)(ctx, signer, activity, inbox)
}

/** Chooses between the handler for the actor itself and the one for its objects. */
function actorOrObject(self: InboxHandler, other: InboxHandler): InboxHandler {
  return (ctx, signer, activity, inbox) =>
    (activity.object?.id === signer.uri ? self : other)(ctx, signer, activity, inbox)
}

async function pass(_ctx: Ctx, _signer: Signer, { type }: Activity): Promise<Outcome> {
  return ignored(`unsupported type ${type}`)
}
