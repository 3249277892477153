import { type Activity, readActivity } from '../vocab/activity'
import type { Reference } from '../vocab/json'

/** The activity of a member that a group announces (FEP-1b12); null for anything else. */
export function passedOnActivity({ document }: Reference): Activity | null {
  const inner = document === null ? null : readActivity(document)
  return inner === null || inner.type === 'Unknown' ? null : inner
}

/**
 * Id of the reblogged status. Lemmy groups announce the activities of their members: only a Create counts as a
 * reblog, and votes by the thousand must not be fetched.
 */
export function rebloggedUri(reference: Reference, inner = passedOnActivity(reference)): string | null {
  if (inner === null) return reference.id
  return inner.type === 'Create' ? (inner.object?.id ?? null) : null
}
