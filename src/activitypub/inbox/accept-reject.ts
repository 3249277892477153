import { receiveFeatureAnswer } from '../../domain/collections/receive-answer'
import { ignored } from '../../domain/core/outcome'
import { receiveRelayAccept, receiveRelayReject } from '../../domain/instance/relays/receive'
import { receiveFavouriteApproval } from '../../domain/interactions/receive-favourite-approval'
import { receiveRejection } from '../../domain/interactions/receive-rejection'
import { receiveAccept, receiveReject } from '../../domain/relationships/receive-follow-response'
import { receiveQuoteAnswer } from '../../domain/statuses/quotes/receive-quote-answer'
import { receiveApproval } from '../../domain/statuses/receive-approval'
import { sameOrigin } from '../../lib/web-address'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { findAnsweredObject } from './answered-object'
import type { InboxHandler } from './handler'
import { relayAnswer } from './relays'

/** Remote actor accepts a subscription to a relay, or a local follow, feature request, quote, favourite, reply or reblog. */
export const accept: InboxHandler = async (ctx, signer, activity) => {
  const relayed = relayAnswer(ctx, signer, activity)
  if (relayed !== null) return receiveRelayAccept(ctx, relayed)
  const { id, object, result } = activity
  const answered = findAnsweredObject(ctx, signer, object)
  switch (answered?.kind) {
    case 'follow':
      return receiveAccept(ctx, signer, answered.username)
    case 'feature': {
      const authorizationUri = consentIn(signer, result)
      if (authorizationUri === null) return ignored('names no authorization on its own server')
      return receiveFeatureAnswer(ctx, signer, { itemId: answered.itemId, authorizationUri })
    }
    case 'quote': {
      const authorizationUri = consentIn(signer, result)
      if (authorizationUri === null) return ignored('names no authorization on its own server')
      return receiveQuoteAnswer(ctx, signer, { statusId: answered.statusId, authorizationUri })
    }
    case 'status':
    case 'favourite': {
      const proof = { uri: consentIn(signer, result), accept: result === null ? id : null }
      const receive = answered.kind === 'status' ? receiveApproval : receiveFavouriteApproval
      return receive(ctx, signer, { ...answered, ...proof })
    }
    case 'reaction':
      return ignored('accepts an interaction that needs no consent')
    case undefined:
      return ignored('accepts no local object')
  }
}

/** Remote actor rejects or withdraws consent. */
export const reject: InboxHandler = async (ctx, signer, activity) => {
  const relayed = relayAnswer(ctx, signer, activity)
  if (relayed !== null) return receiveRelayReject(ctx, relayed)
  const answered = findAnsweredObject(ctx, signer, activity.object)
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
      return ignored('rejects no local object')
  }
}

/** Address of a consent, on the signer's own server only: no server consents for another. */
function consentIn(signer: Signer, result: Activity['result']): string | null {
  const uri = result?.id ?? null
  return uri !== null && sameOrigin(uri, signer.uri) ? uri : null
}
