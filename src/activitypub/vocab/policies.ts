import type { InteractionPolicy, QuotePolicy } from '../../db/schema/statuses'
import type { ApprovalAction } from '../../db/values'
import { isPublic } from './audience'
import { firstOf, idOf, isObject, type JsonObject, listOf } from './json'

const MAX_ENTRIES = 50

export interface Policies {
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
  /** What those whom the policies leave out may ask for. */
  readonly askedFirst: readonly ApprovalAction[]
}

/**
 * Who may quote, answer and reblog without asking (`interactionPolicy` of FEP-044f and GoToSocial).
 *
 * Where nothing is said about quotes nobody may: consent has to be given. Answers and reblogs need no consent
 * anywhere else, so there silence means everybody.
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
 * Whether a request is worth sending: the author decides whom they mean. `approvalRequired`, of GoToSocial before 0.20,
 * does not count, for that takes no requests.
 */
function isAskedFirst(value: unknown): boolean {
  const rule = firstOf(value)
  return isObject(rule) && listOf(rule['manualApproval'], MAX_ENTRIES).length > 0
}

/** `always` is what GoToSocial before 0.20 calls it. */
function allowedBy(value: unknown, followers: string | null): InteractionPolicy | null {
  const rule = firstOf(value)
  if (!isObject(rule)) return null
  const allowed = listOf(rule['automaticApproval'] ?? rule['always'], MAX_ENTRIES)
  if (allowed.some(isPublic)) return 'public'
  return followers !== null && allowed.some((entry) => idOf(entry) === followers) ? 'followers' : 'mentioned'
}
