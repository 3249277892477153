/** The client address as given by the platform; a constant without it, as in development. */
export function clientAddress(headers: Headers): string {
  return headers.get('cf-connecting-ip') ?? 'unknown'
}

/**
 * The network an address is counted by: itself, or for IPv6 the /64 around it, since one household has more
 * addresses than could be counted.
 */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4)
}

/** The wider network: for IPv6 the /48 that one customer of a provider gets, with 65,536 networks in it. */
export function sitePrefixOf(ip: string): string {
  return prefixOf(ip, 3)
}

/**
 * The network in which an address that has changed is taken for the same household: an IPv4 /16, since providers give
 * out others every day, or an IPv6 /64.
 */
export function neighbourhoodOf(ip: string): string {
  const network = networkOf(ip)
  const [first, second, third] = network.split('.')
  return third === undefined ? network : `${first}.${second}.0.0/16`
}

/** Prefix of an IPv6 address; IPv4, mapped or not, stays whole. */
function prefixOf(ip: string, groupCount: 3 | 4): string {
  const carried = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (carried !== undefined || !ip.includes(':')) return carried ?? ip
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right]
  const first = groups.slice(0, groupCount).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
  return `${first.join(':')}::/${groupCount * 16}`
}
