import type { InteractionPolicy, LikePolicy, QuotePolicy, Visibility } from '../../db/schema/statuses'
import type { ApprovalAction } from '../../db/values'
import type { AccountId } from '../../lib/ids'

/** Relation of an account to the author of a status it wants to quote. */
export interface QuoterRelation {
  readonly isAuthor: boolean
  readonly followsAuthor: boolean
}

/**
 * Whether the author of a status permits a quote. Visibility is checked elsewhere.
 *
 * Followers-only statuses are quoted by their author only, direct ones not at all.
 */
export function mayQuote(
  status: { readonly visibility: Visibility; readonly quotePolicy: QuotePolicy },
  { isAuthor, followsAuthor }: QuoterRelation,
): boolean {
  if (status.visibility === 'direct') return false
  if (isAuthor) return true
  if (status.visibility === 'private') return false
  return status.quotePolicy === 'public' || (status.quotePolicy === 'followers' && followsAuthor)
}

/** Relation of an account to the status it wants to reply to or reblog, and to its author. */
export interface InteractorRelation {
  readonly followsParent: boolean
  readonly namedInParent: boolean
}

/** Columns of the status that `decideApproval` reads. */
interface ApprovableStatus {
  readonly accountId: AccountId
  readonly local: boolean
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
  readonly likePolicy: LikePolicy
  readonly askedFirst: readonly ApprovalAction[]
}

const policyColumns = { reply: 'replyPolicy', reblog: 'reblogPolicy', favourite: 'likePolicy' } as const

/**
 * Decides whether `account` may reply to, reblog or favourite `status`: at once, after approval by its remote author, or not at all.
 * Source: interaction policies of GoToSocial (`manualApproval`).
 */
export function decideApproval(
  kind: ApprovalAction,
  account: AccountId,
  { status, standing }: { readonly status: ApprovableStatus; readonly standing: InteractorRelation },
): 'given' | 'asked' | 'refused' {
  if (status.accountId === account || mayInteract(status[policyColumns[kind]], standing)) return 'given'
  return !status.local && status.askedFirst.includes(kind) ? 'asked' : 'refused'
}

/** Whether the policy of a status permits an interaction of an account with this relation. */
export function mayInteract(
  policy: LikePolicy,
  { followsParent, namedInParent }: InteractorRelation,
): boolean {
  if (policy === 'nobody') return false
  if (policy === 'public' || namedInParent) return true
  return policy === 'followers' && followsParent
}
