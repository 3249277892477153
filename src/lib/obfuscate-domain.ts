/** Obfuscates a domain with stars, except its ends and its dots: recognisable, but not a link. */
export function obfuscateDomain(domain: string): string {
  const kept = Math.floor(domain.length / 4)
  return [...domain]
    .map((character, at) => (character === '.' || at < kept || at >= domain.length - kept ? character : '*'))
    .join('')
}
