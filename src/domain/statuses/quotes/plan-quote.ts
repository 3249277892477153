import type { Visibility } from '../../../db/schema/statuses'
import { Invalid, NotFound, validationFailed } from '../../../errors'
import type { AccountId, StatusId } from '../../../lib/ids'
import { sameOrigin } from '../../../lib/web-address'
import { mayQuote } from '../../policy/interaction'
import type { RemoteQuote } from '../remote/remote-status'
import type { QuoteTarget } from './find-quotes'

/** What a new status quotes, and whether its author agrees. */
export interface PlannedQuote {
  /** Null while it is unknown here. */
  readonly quotedStatusId: StatusId | null
  readonly quotedAccountId: AccountId | null
  readonly quotedUri: string
  readonly state: 'pending' | 'accepted'
  /** Said in words that know no consent. */
  readonly legacy: boolean
  readonly authorizationUri: string | null
}

/**
 * Decides whether a local person may quote. Pure. `NotFound` where they may not, whatever the reason.
 *
 * What is on this server follows the policy of the quoted status at once; other servers have to be asked.
 */
export function planQuote(target: QuoteTarget | null): PlannedQuote {
  const allowed = target !== null && !target.blocksAuthor && mayQuote(target.status, target.standing)
  if (!allowed) throw new NotFound('The post you are trying to quote does not appear to exist.')
  const { status, uri } = target
  return {
    ...{ quotedStatusId: status.id, quotedAccountId: status.accountId, quotedUri: uri },
    ...{ state: status.local ? 'accepted' : 'pending', legacy: false, authorizationUri: null },
  }
}

/** Who sees a status that quotes. What is for followers is quoted for followers. Pure. */
export function quotingVisibility(asked: Visibility, target: QuoteTarget | null): Visibility {
  const isNarrow = target?.status.visibility === 'private'
  return isNarrow && (asked === 'public' || asked === 'unlisted') ? 'private' : asked
}

/** Refuses what would talk about somebody behind their back, or ask for consent to what must not leave. Pure. */
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
  const knows = accountId === quoting.author || quoting.named.includes(accountId)
  if (quoting.visibility === 'direct' && !knows)
    throw validationFailed('Cannot quote a non-mentioned user in a Private Mention post.')
  if (quoting.localOnly && !local)
    throw new Invalid('A post that stays on this server cannot quote one of another server')
}

/**
 * Decides what the quote of a post of another server counts for at first. Pure.
 *
 * Authors quote themselves freely. Those who say it in words that know no consent have it where one of ours lets
 * them quote without asking; everybody else asks (FEP-044f), or shows consent that is looked into later.
 */
export function planRemoteQuote(quote: RemoteQuote | null, target: QuoteTarget | null): PlannedQuote | null {
  if (quote === null) return null
  if (quote.gone === true) return quoteOfDeleted
  const status = target?.status ?? null
  const settled = status !== null && (target?.standing.isAuthor === true || (status.local && quote.legacy))
  const allowed = target !== null && !target.blocksAuthor && mayQuote(target.status, target.standing)
  return {
    quotedStatusId: status?.id ?? null,
    quotedAccountId: status?.accountId ?? null,
    quotedUri: quote.uri,
    state: settled && allowed ? 'accepted' : 'pending',
    legacy: quote.legacy,
    authorizationUri: quote.authorization,
  }
}

/** What is shown as a quote of something deleted: there was consent, and nothing is left to show. */
const quoteOfDeleted: PlannedQuote = {
  quotedStatusId: null,
  quotedAccountId: null,
  quotedUri: '',
  state: 'accepted',
  legacy: false,
  authorizationUri: null,
}

/** Is there anything to ask about it? Consent it names, or that it is a quote of their own. Pure. */
export function isVerifiable({ state, authorizationUri, quotedUri }: PlannedQuote, uri: string): boolean {
  return state === 'pending' && (authorizationUri !== null || sameOrigin(quotedUri, uri))
}
