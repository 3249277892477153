/** Does an account that lists `domains` agree to be named as the author of a page? So it does for their subdomains. Pure. */
export function isAttributable(domains: readonly string[], url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
