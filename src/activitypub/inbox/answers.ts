import { parseFragmentActivityUri, readStatusUri } from '../../contract/addresses'
import { execute } from '../../db/query'
import { receiveFeatureAnswer } from '../../domain/collections/receive-request'
import { ignored, type Outcome, rejected } from '../../domain/core/changes'
import { ignoreLateActivity, type ReceivedUndo } from '../../domain/core/received-activities'
import { receiveFavouriteApproval } from '../../domain/interactions/favourite'
import { findInteractionByUri } from '../../domain/interactions/find-interaction'
import { possibleNames } from '../../domain/interactions/receive-like'
import { receiveRejection } from '../../domain/interactions/receive-rejection'
import { undoFavouriteOrReaction, undoReblog } from '../../domain/interactions/receive-undo'
import { receiveUnblock } from '../../domain/relationships/block'
import { receiveAccept, receiveReject, receiveUnfollow } from '../../domain/relationships/receive-follow'
import { receiveRelayAccept, receiveRelayReject } from '../../domain/relays/change'
import { receiveQuoteAnswer } from '../../domain/statuses/quotes/receive-quote'
import { receiveApproval } from '../../domain/statuses/receive-request'
import type { CollectionItemId, StatusId } from '../../lib/ids'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../verify-request'
import { type Activity, readActivity, readReaction } from '../vocab/activity'
import { hasType, idOf, type JsonObject, type Reference, typesOf } from '../vocab/json'
import { type InboxHandler, localUsernameOf, ownId } from './handler'
import { relayAnswer } from './posts'

/** Remote actor accepts a subscription to a relay, or a local follow, feature request, quote, favourite, reply or reblog. */
export const accept: InboxHandler = async (ctx, signer, activity) => {
  const relayed = relayAnswer(ctx, signer, activity)
  if (relayed !== null) return receiveRelayAccept(ctx, relayed)
  const { id, object, result } = activity
  const answered = findAnsweredObject(ctx, signer, object)
  switch (answered?.kind) {
    case 'follow':
      return receiveAccept(ctx, signer, answered.username)
    case 'feature': {
      const authorizationUri = consentIn(signer, result)
      if (authorizationUri === null) return ignored('names no authorization on its own server')
      return receiveFeatureAnswer(ctx, signer, { itemId: answered.itemId, authorizationUri })
    }
    case 'quote': {
      const authorizationUri = consentIn(signer, result)
      if (authorizationUri === null) return ignored('names no authorization on its own server')
      return receiveQuoteAnswer(ctx, signer, { statusId: answered.statusId, authorizationUri })
    }
    case 'status':
    case 'favourite': {
      const proof = { uri: consentIn(signer, result), accept: result === null ? id : null }
      const receive = answered.kind === 'status' ? receiveApproval : receiveFavouriteApproval
      return receive(ctx, signer, { ...answered, ...proof })
    }
    case 'reaction':
      return ignored('accepts an interaction that needs no consent')
    case undefined:
      return ignored('accepts no local object')
  }
}

/** Remote actor rejects or withdraws consent. */
export const reject: InboxHandler = async (ctx, signer, activity) => {
  const relayed = relayAnswer(ctx, signer, activity)
  if (relayed !== null) return receiveRelayReject(ctx, relayed)
  const answered = findAnsweredObject(ctx, signer, activity.object)
  switch (answered?.kind) {
    case 'follow':
      return receiveReject(ctx, signer, answered.username)
    case 'feature':
      return receiveFeatureAnswer(ctx, signer, { itemId: answered.itemId, authorizationUri: null })
    case 'quote':
      return receiveQuoteAnswer(ctx, signer, { statusId: answered.statusId, authorizationUri: null })
    case 'favourite':
    case 'reaction':
    case 'status':
      return receiveRejection(ctx, signer, answered)
    case undefined:
      return ignored('rejects no local object')
  }
}

/** Address of a consent, on the signer's own server only: no server consents for another. */
function consentIn(signer: Signer, result: Activity['result']): string | null {
  const uri = result?.id ?? null
  return uri !== null && sameOrigin(uri, signer.uri) ? uri : null
}

/**
 * Reverts an activity of the signer. Most servers inline a copy of it, some send only its id; then the interaction
 * stored under that id decides. The undone id is tombstoned, for the original may still be in transit.
 */
export const undo: InboxHandler = async (ctx, signer, activity) => {
  const undone = activity.object?.document === null ? null : readActivity(activity.object?.document)
  const undoing = { uri: activity.id, undoneUri: ownId(signer, activity.object?.id ?? null) }
  if (undone === null) return undoById(ctx, signer, undoing)
  if (undone.actor !== signer.uri) return rejected('undoes an activity of another actor')
  return undoCopy(ctx, signer, { undone, ...undoing })
}

interface Copy extends ReceivedUndo {
  readonly undone: Activity
}

async function undoCopy(ctx: Ctx, signer: Signer, { undone, uri, undoneUri }: Copy): Promise<Outcome> {
  const statusUri = undone.object?.id ?? null
  const undoing = { uri, undoneUri, statusUri }
  const username = localUsernameOf(ctx, statusUri)
  switch (undone.type) {
    case 'Follow':
      if (username === null) return ignored('undoes a Follow of no local account')
      return receiveUnfollow(ctx, signer, { username, uri, followUri: undoneUri })
    case 'Block':
      if (username === null) return ignored('undoes a Block of no local account')
      return receiveUnblock(ctx, signer, { username, uri, blockUri: undoneUri })
    case 'Accept':
      return reject(ctx, signer, undone, null)
    case 'Announce':
      return undoReblog(ctx, signer, undoing)
    case 'Like':
    case 'EmojiReact':
      return undoFavouriteOrReaction(ctx, signer, { ...undoing, names: namesOf(signer, undone) })
    default:
      return ignored(`unsupported Undo of ${undone.type}`)
  }
}

function namesOf({ domain }: Signer, undone: Activity): readonly string[] {
  const reaction = readReaction(undone)
  return reaction === null ? [] : possibleNames(reaction, domain)
}

async function undoById(ctx: Ctx, signer: Signer, { uri, undoneUri }: ReceivedUndo): Promise<Outcome> {
  if (undoneUri === null) return ignored('undoes no identifiable activity')
  const interaction = await execute(ctx.db, findInteractionByUri(ctx, signer.id, undoneUri))
  switch (interaction?.kind) {
    case 'follow':
      return receiveUnfollow(ctx, signer, { username: interaction.username, uri, followUri: undoneUri })
    case 'block':
      return receiveUnblock(ctx, signer, { username: interaction.username, uri, blockUri: undoneUri })
    case 'reblog':
      return undoReblog(ctx, signer, { uri, undoneUri, statusUri: null })
    case 'favourite':
    case 'reaction':
      return undoFavouriteOrReaction(ctx, signer, { uri, undoneUri, statusUri: null, names: [] })
    case undefined:
      return ignoreLateActivity(ctx, { uri, undoneUri })
  }
}

/** Local object that an Accept or Reject answers. */
export type AnsweredObject =
  /** A Follow by this local user. */
  | { readonly kind: 'follow'; readonly username: string }
  /** A FeatureRequest, for this item of a collection. */
  | { readonly kind: 'feature'; readonly itemId: CollectionItemId }
  /** A QuoteRequest, for the quote in this status. */
  | { readonly kind: 'quote'; readonly statusId: StatusId }
  /** A Like or EmojiReact, or the request for a Like, by its row. */
  | { readonly kind: 'favourite' | 'reaction'; readonly username: string; readonly id: number }
  /** A note or an Announce, or the request for it. */
  | { readonly kind: 'status'; readonly username: string; readonly id: StatusId }

/** Types an inlined copy of each kind may have: a copy of any other type is not matched. */
const typesOfKind: Readonly<Record<AnsweredObject['kind'], readonly string[]>> = {
  follow: ['Follow'],
  feature: ['FeatureRequest'],
  quote: ['QuoteRequest'],
  favourite: ['Like', 'LikeRequest'],
  reaction: ['EmojiReact', 'Like'],
  status: ['Note', 'Question', 'Article', 'Announce', 'Create', 'ReplyRequest', 'AnnounceRequest'],
}

/**
 * Finds the local object that an answer names: by its id, which implies the kind; else by the inlined copy, for some
 * servers answer a Follow or a QuoteRequest under an id of their own. Null for any other object.
 */
function findAnsweredObject(ctx: Ctx, signer: Signer, object: Reference | null): AnsweredObject | null {
  if (object === null) return null
  const { id, document } = object
  const byId = id === null ? null : withId(ctx.config.origin, id)
  if (document === null) return byId
  if (byId !== null && !mayBe(byId, document)) return null
  if (hasType(document, 'Follow') && 'actor' in document) return followIn(ctx, signer, document)
  if (byId !== null) return byId
  if (hasType(document, 'QuoteRequest')) return quoteIn(ctx.config.origin, document)
  const isRequest = requestTypes.some((type) => hasType(document, type))
  return isRequest ? requestedIn(ctx.config.origin, document) : null
}

function withId(origin: string, id: string): AnsweredObject | null {
  const status = readStatusUri(origin, id)
  if (status !== null) return { kind: 'status', ...status }
  const found = parseFragmentActivityUri(origin, id)
  switch (found?.deed) {
    case 'follows':
      return { kind: 'follow', username: found.username }
    case 'likes':
    case 'likerequests':
      return { kind: 'favourite', username: found.username, id: found.id }
    case 'reactions':
      return { kind: 'reaction', username: found.username, id: found.id }
    case 'quotes':
      return { kind: 'quote', statusId: found.id }
    case 'requests':
      return { kind: 'status', username: found.username, id: found.id }
    case 'features':
      return { kind: 'feature', itemId: found.id }
    default:
      return null
  }
}

function mayBe({ kind }: AnsweredObject, document: JsonObject): boolean {
  const types = typesOf(document)
  return types.length === 0 || types.some((type) => typesOfKind[kind].includes(type))
}

/** Local follower in an inlined Follow. The signer answers only for itself. */
function followIn(ctx: Ctx, signer: Signer, follow: JsonObject): AnsweredObject | null {
  const followed = idOf(follow['object'])
  if (followed !== null && followed !== signer.uri) return null
  const username = localUsernameOf(ctx, idOf(follow['actor']))
  return username === null ? null : { kind: 'follow', username }
}

function quoteIn(origin: string, request: JsonObject): AnsweredObject | null {
  const instrument = idOf(request['instrument'])
  const quoting = instrument === null ? null : readStatusUri(origin, instrument)
  return quoting === null ? null : { kind: 'quote', statusId: quoting.id }
}

const requestTypes = ['ReplyRequest', 'AnnounceRequest', 'LikeRequest']

/** Local reply, reblog or favourite in the inlined copy of a request. */
function requestedIn(origin: string, request: JsonObject): AnsweredObject | null {
  const instrument = idOf(request['instrument'])
  const requested = instrument === null ? null : withId(origin, instrument)
  return requested?.kind === 'status' || requested?.kind === 'favourite' ? requested : null
}
