import type { Config } from '../../config'
import { findLinks } from '../../lib/html-walk'
import { liesOn, parseWebAddress } from '../../lib/web-address'

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
export function isPreviewable(
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
