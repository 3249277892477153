import type { StatusRow } from '../policy/visibility'

/** Whether a status is not published: the author of what it answers was asked and has not agreed. */
export function isPendingApproval({ approval }: Pick<StatusRow, 'approval'>): boolean {
  return approval !== null && approval.held !== null
}
