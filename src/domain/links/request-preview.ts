import type { Config } from '../../config'
import type { StatusId } from '../../lib/ids'
import type { Changes } from '../core/changes'
import { firstLink, isPreviewable } from './find-link'

export interface LinkSource {
  readonly id: StatusId
  readonly local: boolean
  readonly content: string
  /** Linked URLs without a preview: those of the quoted status. */
  readonly others?: readonly (string | null | undefined)[]
  /** Page to preview in place of the first link. */
  readonly attached?: string | null | undefined
}

/**
 * Enqueues the preview of a status's link, if it has one (`fetch-link-preview`), after a delay.
 *
 * A status reaches many servers at once, unknown to each other: a random delay keeps them from fetching the page at
 * the same time. The author is waiting for the preview, so local statuses wait less, and their job is stored until it is
 * queued. That of a remote status is not, which would be two rows for each: where the queue fails, or the invocation
 * ends before, the status stays without a preview.
 */
export function requestPreview(config: Config, changes: Changes, linking: LinkSource): void {
  const { id, local, content, others, attached = null } = linking
  const link = attached !== null && isPreviewable(config, attached, others) ? attached : null
  if (link === null && firstLink(config, content, others) === null) return
  // The low bits of an id are random.
  const delaySeconds = 1 + (id % (local ? 5 : 60))
  const target = link === null ? {} : { link }
  const job = { kind: 'fetch-link-preview', statusId: id, delaySeconds, ...target } as const
  if (local) changes.enqueue(job)
  else changes.enqueueUnstored(job)
}
