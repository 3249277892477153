import type { Activity } from './activity'
import { localizedTextOf, plainTextOf } from './text'

const MAX_COMMENT = 2_000

/** A report: the ids of accounts and statuses in the order given, and the comment. */
export interface RemoteFlag {
  readonly uris: readonly string[]
  readonly comment: string
}

/** Parses a report. The caller decides which of the ids are accounts. */
export function readFlag(activity: Activity): RemoteFlag | null {
  const uris = [...new Set(activity.objects.flatMap(({ id }) => id ?? []))]
  if (activity.type !== 'Flag' || uris.length === 0) return null
  return { uris, comment: plainTextOf(localizedTextOf(activity.raw, 'content')?.text, MAX_COMMENT) }
}
