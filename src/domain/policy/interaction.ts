import type { InteractionPolicy, QuotePolicy, Visibility } from '../../db/schema/statuses'

/** How somebody stands to the author of a status they want to quote. */
export interface QuoteStanding {
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
  { isAuthor, followsAuthor }: QuoteStanding,
): boolean {
  if (status.visibility === 'direct') return false
  if (isAuthor) return true
  if (status.visibility === 'private') return false
  return status.quotePolicy === 'public' || (status.quotePolicy === 'followers' && followsAuthor)
}

/** How somebody stands to the author of a status they want to answer or share. */
export interface Answering {
  readonly followsParent: boolean
  readonly namedInParent: boolean
}

/** Does the author of a status allow that somebody who stands to them so answers or shares it? */
export function mayInteract(policy: InteractionPolicy, { followsParent, namedInParent }: Answering): boolean {
  if (policy === 'public' || namedInParent) return true
  return policy === 'followers' && followsParent
}
