import type { Config } from '../../config'
import { findLinks } from '../../lib/html-walk'
import type { StatusId } from '../../lib/ids'
import { liesOn, parseWebAddress } from '../../lib/web-address'
import type { Changes } from '../core/changes'

interface LinkSource {
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

/**
 * The link of a text that gets a preview, or null: the first that is no mention, no hashtag, no page of this server
 * and not among `others`. Pure.
 */
export function firstLink(
  { ownDomains }: Pick<Config, 'ownDomains'>,
  html: string,
  others: readonly (string | null | undefined)[] = [],
): string | null {
  const links = findLinks(html).map(parseWebAddress)
  return links.find((link) => link !== null && isPreviewable({ ownDomains }, link, others)) ?? null
}

/** Whether a link gets a preview: no page of this server, and not among `others`. Pure. */
function isPreviewable(
  { ownDomains }: Pick<Config, 'ownDomains'>,
  link: string,
  others: readonly (string | null | undefined)[] = [],
): boolean {
  // A page whose own links lead back to it would cause a loop.
  return !others.includes(link) && !liesOn(ownDomains, link)
}

/** The cache key of a page: its URL without the fragment. */
export function pageKey(link: string): string {
  return link.split('#', 1)[0] ?? link
}
