import { readActivity } from '../vocab/activity'
import type { Reference } from '../vocab/json'

/**
 * Id of the reblogged status. Lemmy groups announce the activities of their members: only a Create counts as a
 * reblog, and votes by the thousand must not be fetched.
 */
export function rebloggedUri({ id, document }: Reference): string | null {
  const inner = document === null ? null : readActivity(document)
  if (inner === null || inner.type === 'Unknown') return id
  return inner.type === 'Create' ? (inner.object?.id ?? null) : null
}
