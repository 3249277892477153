import type { Config } from '../../config'
import { findLinks } from '../../lib/html-links'
import { liesOn, parseWebAddress } from '../../lib/web-address'

/**
 * The link of a text that is shown with a preview, or null: the first that leads anywhere but to a person, a hashtag,
 * a page of this server, or what `others` are. Pure.
 */
export function firstLink(
  { ownDomains }: Pick<Config, 'ownDomains'>,
  html: string,
  others: readonly (string | null | undefined)[] = [],
): string | null {
  const links = findLinks(html).map(parseWebAddress)
  // A page whose own links lead back to it would go round in circles.
  return links.find((link) => link !== null && !others.includes(link) && !liesOn(ownDomains, link)) ?? null
}

/** What a page is known by: its address without the place in it. */
export function pageKey(link: string): string {
  return link.split('#', 1)[0] ?? link
}
