import type { InteractionPolicy, LikePolicy, QuotePolicy } from '../../db/schema/statuses'
import type { ApprovalAction } from '../../db/values'
import type { RemoteQuote } from '../../domain/statuses/remote/remote-status'
import { isPublic } from './activity'
import { firstOf, hasType, idOf, isObject, isPlainDocument, type JsonObject, listOf } from './json'
import { quoteIn } from './tags'

const dialects = ['quoteUri', 'quoteUrl', '_misskey_quote'] as const

/**
 * Quoted status: `quote` of FEP-044f with the consent of the quoted author, `quoteUri` (Fedibird), `quoteUrl`
 * (Pleroma, Misskey), `_misskey_quote`, or a Link among the tags (FEP-e232). Mastodon writes a Tombstone for a
 * deleted quoted status.
 */
export function quoteOf(object: JsonObject, tags: readonly JsonObject[]): RemoteQuote | null {
  if (isTombstone(firstOf(object['quote']))) return { ...nothing, gone: true }
  const quote = idOf(object['quote'])
  if (quote !== null) return { uri: quote, authorization: idOf(object['quoteAuthorization']), legacy: false }
  const key = dialects.find((name) => idOf(object[name]) !== null)
  const uri = key === undefined ? quoteIn(tags) : idOf(object[key])
  return uri === null ? null : { uri, authorization: null, legacy: true }
}

const nothing: RemoteQuote = { uri: '', authorization: null, legacy: false }

/** Consent to one quote, from the quoted author's server (FEP-044f). */
export interface QuoteAuthorization {
  readonly id: string
  readonly author: string
  /** Quoting status. */
  readonly quote: string
  /** Quoted status. */
  readonly quoted: string
}

export function readQuoteAuthorization(document: unknown): QuoteAuthorization | null {
  if (!isPlainDocument(document) || !hasType(document, 'QuoteAuthorization')) return null
  const [id, author] = [idOf(document['id']), idOf(document['attributedTo'])]
  const [quote, quoted] = [idOf(document['interactingObject']), idOf(document['interactionTarget'])]
  if (id === null || author === null || quote === null || quoted === null) return null
  return { id, author, quote, quoted }
}

const MAX_ENTRIES = 50

export interface Policies {
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
  readonly likePolicy: LikePolicy
  /** Actions that need approval for accounts outside the policies. */
  readonly askedFirst: readonly ApprovalAction[]
}

/** Author of a status, and the collection of their followers where it is known. */
export interface PolicyAuthor {
  readonly uri: string
  readonly followers: string | null
}

/**
 * Accounts allowed to quote, reply, reblog and favourite without asking (`interactionPolicy` of FEP-044f and GoToSocial).
 *
 * An absent quote policy requires consent. Other interactions need no consent on most servers,
 * so an absent policy means public; GoToSocial reads an empty one alike.
 */
export function policiesOf(object: JsonObject, author: PolicyAuthor): Policies {
  const { followers } = author
  const policy = firstOf(object['interactionPolicy'])
  const rules = isObject(policy) ? policy : {}
  const quotes = allowedBy(rules['canQuote'], followers)
  const reblogs = rules['canAnnounce'] ?? rules['canReblog']
  return {
    quotePolicy: quotes === null || quotes === 'mentioned' ? 'nobody' : quotes,
    replyPolicy: allowedBy(rules['canReply'], followers) ?? 'public',
    reblogPolicy: allowedBy(reblogs, followers) ?? 'public',
    likePolicy: likersOf(rules['canLike'], author),
    askedFirst: [
      ...(isAskedFirst(rules['canReply']) ? ['reply' as const] : []),
      ...(isAskedFirst(reblogs) ? ['reblog' as const] : []),
      ...(isAskedFirst(rules['canLike']) ? ['favourite' as const] : []),
    ],
  }
}

/**
 * Whether a request is worth sending: the author decides about it. `approvalRequired`, of GoToSocial before 0.20,
 * does not count, for that version takes no requests.
 */
function isAskedFirst(value: unknown): boolean {
  const rule = firstOf(value)
  return isObject(rule) && listOf(rule['manualApproval'], MAX_ENTRIES).length > 0
}

/** Reads who may favourite. Mentioned accounts may only where they are listed, unlike for replies. */
function likersOf(value: unknown, { uri, followers }: PolicyAuthor): LikePolicy {
  const policy = allowedBy(value, followers) ?? 'public'
  const isForOthers = allowedIn(firstOf(value)).some((entry) => idOf(entry) !== uri)
  return policy === 'mentioned' && !isForOthers ? 'nobody' : policy
}

/** Entries of an allowed audience. GoToSocial before 0.20 calls it `always`. */
function allowedIn(rule: unknown): readonly unknown[] {
  return isObject(rule) ? listOf(rule['automaticApproval'] ?? rule['always'], MAX_ENTRIES) : []
}

/** Reads an allowed audience; null where the policy is absent or empty. */
function allowedBy(value: unknown, followers: string | null): InteractionPolicy | null {
  const rule = firstOf(value)
  if (!isObject(rule) || Object.keys(rule).length === 0) return null
  const allowed = allowedIn(rule)
  if (allowed.some(isPublic)) return 'public'
  return followers !== null && allowed.some((entry) => idOf(entry) === followers) ? 'followers' : 'mentioned'
}

/** Whether a document stands for a deleted object. */
export function isTombstone(document: unknown): boolean {
  return isPlainDocument(document) && hasType(document, 'Tombstone')
}
