/** Whether an account that lists `domains` consents to be named as the author of a page; subdomains included. Pure. */
export function isAttributable(domains: readonly string[], url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
