/** A domain that those who know it recognise, and nobody can visit: stars for all but its ends and its dots. */
export function obfuscateDomain(domain: string): string {
  const kept = Math.floor(domain.length / 4)
  return [...domain]
    .map((character, at) => (character === '.' || at < kept || at >= domain.length - kept ? character : '*'))
    .join('')
}
