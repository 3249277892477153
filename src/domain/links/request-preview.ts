import type { Config } from '../../config'
import type { StatusId } from '../../lib/ids'
import type { Changes } from '../core/changes'
import { firstLink } from './find-link'

export interface LinkSource {
  readonly id: StatusId
  readonly local: boolean
  readonly content: string
  /** What is linked and wants no preview: what the status quotes. */
  readonly others?: readonly (string | null | undefined)[]
}

/**
 * Announces that a status links to a page, if it does (`link.seen`), so that its preview is fetched in a while.
 *
 * A post reaches many servers at once, and none knows of the others: each waits for a time of its own, so that they
 * do not ask the page all together. Its author, who waits to see the preview, waits less.
 */
export function requestPreview(config: Config, changes: Changes, linking: LinkSource): void {
  const { id, local, content, others } = linking
  if (firstLink(config, content, others) === null) return
  // The low bits of an id are random.
  changes.enqueue({ kind: 'fetch-link-preview', statusId: id, delaySeconds: 1 + (id % (local ? 5 : 60)) })
}
