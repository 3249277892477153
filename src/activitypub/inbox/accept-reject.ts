import { receiveFeatureAnswer } from '../../domain/collections/receive-answer'
import { ignored } from '../../domain/core/outcome'
import { receiveRejection } from '../../domain/interactions/receive-rejection'
import { receiveAccept, receiveReject } from '../../domain/relationships/receive-follow-response'
import { receiveQuoteAnswer } from '../../domain/statuses/quotes/receive-quote-answer'
import { receiveApproval } from '../../domain/statuses/receive-approval'
import { sameOrigin } from '../../lib/web-address'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { findAnsweredObject } from './answered-object'
import type { InboxHandler } from './handler'

/** Somebody lets one of ours follow them, feature them, quote or favour something of theirs, or share it. */
export const accept: InboxHandler = async (ctx, signer, { object, result }) => {
  const answered = findAnsweredObject(ctx, signer, object)
  switch (answered?.kind) {
    case 'follow':
      return receiveAccept(ctx, signer, answered.username)
    case 'feature': {
      const authorizationUri = consentIn(signer, result)
      if (authorizationUri === null) return ignored('names no consent on its own server')
      return receiveFeatureAnswer(ctx, signer, { itemId: answered.itemId, authorizationUri })
    }
    case 'quote': {
      const authorizationUri = consentIn(signer, result)
      if (authorizationUri === null) return ignored('names no consent on its own server')
      return receiveQuoteAnswer(ctx, signer, { statusId: answered.statusId, authorizationUri })
    }
    case 'status':
      return receiveApproval(ctx, signer, { ...answered, uri: consentIn(signer, result) })
    case 'favourite':
    case 'reaction':
      return ignored('accepts what needed no consent')
    case undefined:
      return ignored('accepts nothing of ours')
  }
}

/** Somebody does not, or no longer. */
export const reject: InboxHandler = async (ctx, signer, { object }) => {
  const answered = findAnsweredObject(ctx, signer, object)
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
      return ignored('rejects nothing of ours')
  }
}

/** The address of a consent: of its own server alone, for nobody agrees in the name of others. */
function consentIn(signer: Signer, result: Activity['result']): string | null {
  const uri = result?.id ?? null
  return uri !== null && sameOrigin(uri, signer.uri) ? uri : null
}
