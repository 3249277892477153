import { readStatusUri } from '../../contract/addresses'
import { receiveFeatureRequest } from '../../domain/collections/receive-request'
import { done, ignored, type Outcome, rejected } from '../../domain/core/changes'
import { receiveLike, receiveReaction } from '../../domain/interactions/receive-like'
import { type QuoteRequest, receiveQuoteRequest } from '../../domain/statuses/quotes/receive-quote'
import {
  answerInteractionRequest,
  type InteractionRequest,
  mayInteractAt,
} from '../../domain/statuses/receive-request'
import { importStatus } from '../../domain/statuses/remote/import'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../verify-request'
import { type Activity, type RemoteReaction, readActivity, readReaction } from '../vocab/activity'
import { isUnreadable, type Reference } from '../vocab/json'
import { isStatusDocument, readStatus } from '../vocab/status'
import { type InboxHandler, localUsernameOf, outcomeOf, readOwnPost } from './handler'
import { announce } from './posts'

/** Remote account favourites a status or, in Misskey's form, reacts to it. */
export async function like(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const statusUri = activity.object?.id ?? null
  if (statusUri === null) return ignored('likes no identifiable status')
  const interaction = { uri: activity.id, statusUri }
  const reaction = readReaction(activity)
  // A reaction that cannot be shown still counts as a favourite.
  return reaction === null || isUnwanted(signer, reaction)
    ? receiveLike(ctx, signer, interaction)
    : receiveReaction(ctx, signer, { ...interaction, ...reaction })
}

/** Remote account reacts to a status with an emoji. */
export async function emojiReact(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const statusUri = activity.object?.id ?? null
  const reaction = readReaction(activity)
  if (statusUri === null || reaction === null) return ignored('reacts with no readable emoji')
  if (isUnwanted(signer, reaction))
    return ignored('reacts with a picture of a server whose media are rejected')
  return receiveReaction(ctx, signer, { uri: activity.id, statusUri, ...reaction })
}

function isUnwanted({ limit }: Signer, { emoji }: RemoteReaction): boolean {
  return emoji !== null && limit?.rejectMedia === true
}

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

/**
 * Remote account asks to quote a local status. The quoting status is stored first: from the inlined copy, or by a
 * job.
 */
export const quoteRequest: InboxHandler = async (ctx, signer, { id: uri, object, instrument }) => {
  const [quotedUri, quotingUri] = [object?.id ?? null, instrument?.id ?? null]
  if (uri === null || quotedUri === null || quotingUri === null)
    return ignored('requests to quote no identifiable status')
  if (readStatusUri(ctx.config.origin, quotedUri) === null)
    return ignored('requests to quote no local status')
  if (!sameOrigin(quotingUri, signer.uri)) return rejected('requests an object of another server')
  const document = instrument?.document ?? null
  const status =
    document === null || !isStatusDocument(document)
      ? null
      : readStatus(document, { authorFollowers: signer.followers, now: ctx.clock.now() })
  if (status !== null && isUnreadable(status)) return rejected(status.unreadable)
  if (status !== null && (status.author !== signer.uri || status.uri !== quotingUri))
    return rejected('requests for another actor')
  const request: QuoteRequest = { uri, quotedUri, quotingUri, quote: status?.quote ?? null }
  const answered = await receiveQuoteRequest(ctx, signer, request)
  if (answered !== null) return answered
  if (status === null) {
    await ctx.jobs.send({ kind: 'answer-quote-request', accountId: signer.id, uri, quotedUri, quotingUri })
    return done
  }
  const imported = await importStatus(ctx, signer.id, { status, occasion: 'delivered' })
  if (imported.kind !== 'stored' && imported.kind !== 'duplicate') return outcomeOf(imported)
  return (await receiveQuoteRequest(ctx, signer, request)) ?? ignored('quotes no status')
}

/** Remote account asks to add a local one to a collection. An unknown collection is fetched by a job. */
export const featureRequest: InboxHandler = async (ctx, signer, { id: uri, object, instrument }) => {
  const username = localUsernameOf(ctx, object?.id ?? null)
  const collectionUri = instrument?.id ?? null
  if (uri === null || username === null || collectionUri === null)
    return ignored('requests to feature no local account')
  if (!sameOrigin(collectionUri, signer.uri)) return rejected('requests an object of another server')
  const request = { uri, username, collectionUri }
  const answered = await receiveFeatureRequest(ctx, signer, request)
  if (answered !== null) return answered
  await ctx.jobs.send({ kind: 'answer-feature-request', accountId: signer.id, ...request })
  return done
}
