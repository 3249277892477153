import type { StatusRow } from '../policy/visibility'

/** True while a status is unpublished because the author of its parent has not approved it yet. */
export function isPendingApproval({ approval }: Pick<StatusRow, 'approval'>): boolean {
  return approval !== null && approval.held !== null
}
