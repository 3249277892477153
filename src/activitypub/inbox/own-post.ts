import type { RemoteStatus } from '../../domain/statuses/remote/remote-status'
import type { Signer } from '../find-signer'
import type { Reference } from '../vocab/json'
import { isStatusDocument, readStatus } from '../vocab/status'
import { isUnreadable } from '../vocab/unreadable'

/**
 * The post an activity carries along, where its author, the signer and its origin agree: then the copy is as good as
 * what its address would answer. Null for any other copy, which proves nothing.
 */
export function readOwnPost(signer: Signer, { id, document }: Reference, now: Date): RemoteStatus | null {
  if (!isStatusDocument(document)) return null
  const status = readStatus(document, { authorFollowers: signer.followers, now })
  return !isUnreadable(status) && status.author === signer.uri && status.uri === id ? status : null
}
