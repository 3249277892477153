import { parseFragmentActivityUri, readStatusUri } from '../../lib/addresses'
import type { CollectionItemId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import { hasType, idOf, type JsonObject, type Reference, typesOf } from '../vocab/json'
import { localUsernameOf } from './handler'

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
export function findAnsweredObject(
  ctx: Ctx,
  signer: Signer,
  object: Reference | null,
): AnsweredObject | null {
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
