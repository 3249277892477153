import type { Approval } from '../../db/values'
import type { JsonLdObject } from './document'

/**
 * Proof of consent on a reply, an Announce or a Like. `approvedBy` is the name of all three in GoToSocial before 0.20, which
 * also reads the id of an Accept there.
 */
export function approvalProperties(
  approval: Approval | null,
  name: 'replyAuthorization' | 'announceAuthorization' | 'likeAuthorization',
): JsonLdObject {
  if (approval?.state !== 'accepted') return {}
  const { uri, accept } = approval
  if (uri !== null) return { approvedBy: uri, [name]: uri }
  return accept === undefined ? {} : { approvedBy: accept }
}
