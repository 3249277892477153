import type { InteractionPolicy, QuotePolicy, Visibility } from '../../db/schema/statuses'
import type { ApprovalAction } from '../../db/values'
import type { AccountId } from '../../lib/ids'

/** How somebody stands to the author of a status they want to quote. */
export interface QuoterRelation {
  readonly isAuthor: boolean
  readonly followsAuthor: boolean
}

/**
 * Does the author of a status let somebody quote it? Who may see it is another question.
 *
 * What is for followers only its author quotes, and what is for single people nobody.
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

/** How somebody stands to the author of a status they want to answer or share. */
export interface InteractorRelation {
  readonly followsParent: boolean
  readonly namedInParent: boolean
}

/** What `consentTo` looks at in the other status. */
interface ApprovableStatus {
  readonly accountId: AccountId
  readonly local: boolean
  readonly replyPolicy: InteractionPolicy
  readonly reblogPolicy: InteractionPolicy
  readonly askedFirst: readonly ApprovalAction[]
}

/**
 * Whether `account` may answer or reblog `status`: at once, after its author of another server agreed, or not at all.
 * Source: interaction policies of GoToSocial (`manualApproval`).
 */
export function decideApproval(
  kind: ApprovalAction,
  account: AccountId,
  { status, standing }: { readonly status: ApprovableStatus; readonly standing: InteractorRelation },
): 'given' | 'asked' | 'refused' {
  const policy = kind === 'reply' ? status.replyPolicy : status.reblogPolicy
  if (status.accountId === account || mayInteract(policy, standing)) return 'given'
  return !status.local && status.askedFirst.includes(kind) ? 'asked' : 'refused'
}

/** Does the author of a status allow that somebody who stands to them so answers or shares it? */
export function mayInteract(
  policy: InteractionPolicy,
  { followsParent, namedInParent }: InteractorRelation,
): boolean {
  if (policy === 'public' || namedInParent) return true
  return policy === 'followers' && followsParent
}
