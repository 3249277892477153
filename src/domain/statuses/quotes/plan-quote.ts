import type { Visibility } from '../../../db/schema/statuses'
import { Invalid, NotFound } from '../../../errors'
import type { AccountId, StatusId } from '../../../lib/ids'
import { sameOrigin } from '../../../lib/web-address'
import { mayQuote } from '../../policy/interaction'
import type { RemoteQuote } from '../remote/remote-status'
import type { QuoteTarget } from './find-quotes'

/** The quote of a new status, and whether the quoted author agrees. */
export interface PlannedQuote {
  /** Null while the quoted status is unknown. */
  readonly quotedStatusId: StatusId | null
  readonly quotedAccountId: AccountId | null
  readonly quotedUri: string
  readonly state: 'pending' | 'accepted'
  /** True for quote properties without consent, older than FEP-044f. */
  readonly legacy: boolean
  readonly authorizationUri: string | null
}

/**
 * Decides whether a local account may quote. Pure. `NotFound` if not, whatever the reason.
 *
 * Local statuses are decided by their quote policy at once; remote servers are asked.
 */
export function planQuote(target: QuoteTarget | null): PlannedQuote {
  const allowed = target !== null && !target.blocksAuthor && mayQuote(target.status, target.standing)
  if (!allowed) throw new NotFound('no_quoted')
  const { status, uri } = target
  return {
    quotedStatusId: status.id,
    quotedAccountId: status.accountId,
    quotedUri: uri,
    state: status.local ? 'accepted' : 'pending',
    legacy: false,
    authorizationUri: null,
  }
}

/** Visibility of a quoting status: a quote of a private status is private at most. Pure. */
export function quotingVisibility(asked: Visibility, target: QuoteTarget | null): Visibility {
  const isNarrow = target?.status.visibility === 'private'
  return isNarrow && (asked === 'public' || asked === 'unlisted') ? 'private' : asked
}

/** Refuses direct quotes of accounts not mentioned, and local-only quotes that would need remote consent. Pure. */
export function refuseQuote(
  target: QuoteTarget,
  quoting: {
    readonly author: AccountId
    readonly visibility: Visibility
    readonly localOnly: boolean
    readonly named: readonly AccountId[]
  },
): void {
  const { accountId, local } = target.status
  const isMentioned = accountId === quoting.author || quoting.named.includes(accountId)
  if (quoting.visibility === 'direct' && !isMentioned) throw new Invalid('quote_needs_mention')
  if (quoting.localOnly && !local) throw new Invalid('local_only_quote')
}

/**
 * Decides the initial state of the quote in a remote status. Pure.
 *
 * Self-quotes are accepted. Legacy quotes, which cannot carry consent, are accepted where the policy of a local
 * status allows it without asking. Other servers request consent (FEP-044f) or name an authorization that is
 * verified later.
 */
export function planRemoteQuote(quote: RemoteQuote | null, target: QuoteTarget | null): PlannedQuote | null {
  if (quote === null) return null
  if (quote.gone === true) return quoteOfDeleted
  const status = target?.status ?? null
  const needsNoConsent =
    status !== null && (target?.standing.isAuthor === true || (status.local && quote.legacy))
  const allowed = target !== null && !target.blocksAuthor && mayQuote(target.status, target.standing)
  return {
    quotedStatusId: status?.id ?? null,
    quotedAccountId: status?.accountId ?? null,
    quotedUri: quote.uri,
    state: needsNoConsent && allowed ? 'accepted' : 'pending',
    legacy: quote.legacy,
    authorizationUri: quote.authorization,
  }
}

/** Quote of a deleted status: accepted, with nothing left to show. */
const quoteOfDeleted: PlannedQuote = {
  quotedStatusId: null,
  quotedAccountId: null,
  quotedUri: '',
  state: 'accepted',
  legacy: false,
  authorizationUri: null,
}

/** True if a pending quote can be verified: it names an authorization or may be a self-quote. Pure. */
export function isVerifiable({ state, authorizationUri, quotedUri }: PlannedQuote, uri: string): boolean {
  return state === 'pending' && (authorizationUri !== null || sameOrigin(quotedUri, uri))
}
