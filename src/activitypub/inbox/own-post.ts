import type { RemoteStatus } from '../../domain/statuses/remote/remote-status'
import type { Signer } from '../find-signer'
import type { Reference } from '../vocab/json'
import { isStatusDocument, readStatus } from '../vocab/status'
import { isUnreadable } from '../vocab/unreadable'

/**
 * Inlined status of an activity, where its author, the signer and its origin agree: such a copy is as good as the
 * document at its address. Null for any other copy, which proves nothing.
 */
export function readOwnPost(signer: Signer, { id, document }: Reference, now: Date): RemoteStatus | null {
  if (!isStatusDocument(document)) return null
  const status = readStatus(document, { authorFollowers: signer.followers, now })
  return !isUnreadable(status) && status.author === signer.uri && status.uri === id ? status : null
}
