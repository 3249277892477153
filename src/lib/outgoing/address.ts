/** Exceptions from the rule that only public servers may be requested. */
export interface AddressRules {
  /** Hosts (with their ports) that development and tests may request at any address, over http as well. */
  readonly testHosts: readonly string[]
  /** Hosts of this server: local objects need no request, and requesting ourselves can loop. */
  readonly ownHosts: readonly string[]
}

const mostCharacters = 4_096

/** Names that resolve to a private network, or not at all. */
const inward: ReadonlySet<string> = new Set(
  'localhost localdomain local internal intranet private corp home lan arpa onion i2p invalid alt'.split(' '),
)

/**
 * Reason for refusing a request to `address`, or null. Only public https on its usual port, by name.
 *
 * IP addresses are refused without exception: a federated server has a name, and no list of private networks is
 * ever complete. Names are not resolved: a Worker reaches no private network, and its DNS look-ups count as
 * requests.
 */
export function addressProblem(address: string, { testHosts, ownHosts }: AddressRules): string | null {
  if (address.length > mostCharacters) return 'is too long'
  const url = URL.parse(address)
  if (url === null) return 'is no address'
  if (url.username !== '' || url.password !== '') return 'carries credentials'
  if (testHosts.includes(url.host) && /^https?:$/.test(url.protocol)) return null
  if (url.protocol !== 'https:') return 'is not https'
  if (url.port !== '') return 'names a port'
  if (ownHosts.includes(url.host)) return 'is our own'
  return hostProblem(url.hostname)
}

/**
 * Checks the parsed host: the URL parser has brought every spelling of a number (octal, hexadecimal, one part,
 * full width) into one form.
 */
function hostProblem(hostname: string): string | null {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return 'is a number'
  // A host must not have two names: limits are looked up by name.
  if (hostname.endsWith('.')) return 'ends in a dot'
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || labels.includes('')) return 'has no full host name'
  return inward.has(last) ? 'leads into a private network' : null
}
