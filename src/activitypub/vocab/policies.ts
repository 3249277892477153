import type { InteractionPolicy, QuotePolicy } from '../../db/schema/statuses'
import type { ApprovalAction } from '../../db/values'
import { isPublic } from './audience'
import { firstOf, idOf, isObject, type JsonObject, listOf } from './json'

const MAX_ENTRIES = 50

export interface Policies {
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
  /** Actions that need approval for accounts outside the policies. */
  readonly askedFirst: readonly ApprovalAction[]
}

/**
 * Accounts allowed to quote, reply and reblog without asking (`interactionPolicy` of FEP-044f and GoToSocial).
 *
 * An absent quote policy means nobody: consent has to be given. Replies and reblogs need no consent on most servers,
 * so an absent policy means public.
 */
export function policiesOf(object: JsonObject, followers: string | null): Policies {
  const policy = firstOf(object['interactionPolicy'])
  const rules = isObject(policy) ? policy : {}
  const quotes = allowedBy(rules['canQuote'], followers)
  const reblogs = rules['canAnnounce'] ?? rules['canReblog']
  return {
    quotePolicy: quotes === null || quotes === 'mentioned' ? 'nobody' : quotes,
    replyPolicy: allowedBy(rules['canReply'], followers) ?? 'public',
    reblogPolicy: allowedBy(reblogs, followers) ?? 'public',
    askedFirst: [
      ...(isAskedFirst(rules['canReply']) ? ['reply' as const] : []),
      ...(isAskedFirst(reblogs) ? ['reblog' as const] : []),
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

/** Reads an allowed audience. GoToSocial before 0.20 calls it `always`. */
function allowedBy(value: unknown, followers: string | null): InteractionPolicy | null {
  const rule = firstOf(value)
  if (!isObject(rule)) return null
  const allowed = listOf(rule['automaticApproval'] ?? rule['always'], MAX_ENTRIES)
  if (allowed.some(isPublic)) return 'public'
  return followers !== null && allowed.some((entry) => idOf(entry) === followers) ? 'followers' : 'mentioned'
}
