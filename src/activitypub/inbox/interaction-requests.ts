import { ignored, type Outcome, rejected } from '../../domain/core/outcome'
import { receiveLike } from '../../domain/interactions/receive-like'
import {
  answerInteractionRequest,
  type InteractionRequest,
  mayInteractAt,
} from '../../domain/statuses/receive-request'
import { importStatus } from '../../domain/statuses/remote/import'
import { readStatusUri } from '../../lib/addresses'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import { outcomeOf } from '../outcome-of'
import { type Activity, readActivity } from '../vocab/activity'
import type { Reference } from '../vocab/json'
import { announce } from './announce'
import type { InboxHandler } from './handler'
import { readOwnPost } from './own-post'

/**
 * Remote account asks to reply to a local status and inlines the reply. By the interaction policy of the status it is
 * stored and accepted, or rejected. Source: interaction controls of GoToSocial 0.20.
 */
export const replyRequest: InboxHandler = async (ctx, signer, activity) => {
  const parsed = requestIn(ctx, signer, activity)
  if ('kind' in parsed) return parsed
  const { request, instrument } = parsed
  const status = readOwnPost(signer, instrument, ctx.clock.now())
  if (status === null) return ignored('requests a reply that is not inlined or by another actor')
  if (status.inReplyTo !== request.targetUri) return rejected('requests a reply to another status')
  return answering(ctx, signer, request, async () => {
    const imported = await importStatus(ctx, signer.id, { status, occasion: 'delivered' })
    return imported.kind === 'stored' || imported.kind === 'duplicate' ? null : outcomeOf(imported)
  })
}

/** Remote account asks to reblog a local status and inlines the Announce. */
export const announceRequest: InboxHandler = async (ctx, signer, activity) => {
  const parsed = requestIn(ctx, signer, activity)
  if ('kind' in parsed) return parsed
  const { request, instrument } = parsed
  const inner = instrument.document === null ? null : readActivity(instrument.document)
  if (inner?.type !== 'Announce' || inner.actor !== signer.uri || inner.id !== request.interactionUri)
    return ignored('requests a reblog that is not inlined or by another actor')
  if (inner.object?.id !== request.targetUri) return rejected('requests a reblog of another status')
  return answering(ctx, signer, request, async () => {
    const outcome = await announce(ctx, signer, inner)
    // An already known reblog counts as stored.
    return outcome.kind === 'done' || outcome.kind === 'ignored' ? null : outcome
  })
}

/** Remote account asks to favourite a local status and inlines the Like. */
export const likeRequest: InboxHandler = async (ctx, signer, activity) => {
  const parsed = requestIn(ctx, signer, activity)
  if ('kind' in parsed) return parsed
  const { request, instrument } = parsed
  const inner = instrument.document === null ? null : readActivity(instrument.document)
  if (inner?.type !== 'Like' || inner.actor !== signer.uri || inner.id !== request.interactionUri)
    return ignored('requests a favourite that is not inlined or by another actor')
  if (inner.object?.id !== request.targetUri) return rejected('requests a favourite of another status')
  const interaction = { uri: request.interactionUri, statusUri: request.targetUri }
  return answering(ctx, signer, request, async () => {
    const outcome = await receiveLike(ctx, signer, interaction)
    return outcome.kind === 'done' ? null : outcome
  })
}

/**
 * Stores the requested interaction where the policy allows it, and answers. `store` returns a failure outcome or
 * null.
 */
async function answering(
  ctx: Ctx,
  signer: Signer,
  request: InteractionRequest,
  store: () => Promise<Outcome | null>,
): Promise<Outcome> {
  const target = await mayInteractAt(ctx, signer.id, request)
  if (target === null) return ignored('requests interaction with a status not visible to its actor')
  if (target.isAllowed) {
    const failure = await store()
    if (failure !== null) return failure
  }
  return answerInteractionRequest(ctx, signer, { request, target })
}

interface ParsedRequest {
  readonly request: InteractionRequest
  readonly instrument: Reference
}

function requestIn(ctx: Ctx, signer: Signer, activity: Activity): ParsedRequest | Outcome {
  const { id: uri, type, object, instrument } = activity
  const [targetUri, interactionUri] = [object?.id ?? null, instrument?.id ?? null]
  if (uri === null || targetUri === null || interactionUri === null || instrument === null)
    return ignored('requests no identifiable interaction')
  if (readStatusUri(ctx.config.origin, targetUri) === null)
    return ignored('requests interaction with no local status')
  if (!sameOrigin(interactionUri, signer.uri)) return rejected('requests an object of another server')
  if (type !== 'ReplyRequest' && type !== 'AnnounceRequest' && type !== 'LikeRequest')
    return ignored(`unsupported request ${type}`)
  return { request: { uri, type, targetUri, interactionUri }, instrument }
}
