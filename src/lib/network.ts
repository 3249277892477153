import ipaddr from 'ipaddr.js'

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

/** Network of IP addresses. */
export interface IpNetwork {
  /** CIDR notation with host bits zero; IPv4 networks mapped into IPv6 as IPv4. */
  readonly cidr: string
  /** First and last address, each as 32 hex digits; IPv4 in its mapped form. */
  readonly first: string
  readonly last: string
}

interface Address {
  /** Four or sixteen. */
  readonly bytes: readonly number[]
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** Parses an address, or a network in CIDR notation, of IPv4 or IPv6; null if invalid. Host bits are cleared. */
export function parseNetwork(text: string): IpNetwork | null {
  const [, host = '', length] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? []
  const sent = parseAddress(host)
  if (sent === null) return null
  const address = unmapped(sent)
  const most = address.bytes.length * 8
  // A prefix of a mapped network counts from the start of the IPv6 address.
  const skipped = sent.bytes.length * 8 - most
  const prefix = length === undefined ? most : Number(length) - skipped
  return prefix < 0 || prefix > most ? null : networkWithPrefix(address, prefix)
}

/** Every network that an address lies in, in CIDR notation; empty for an invalid address. */
export function networksAround(ip: string): readonly string[] {
  const sent = parseAddress(ip)
  if (sent === null) return []
  const address = unmapped(sent)
  return Array.from(
    { length: address.bytes.length * 8 + 1 },
    (_, prefix) => networkWithPrefix(address, prefix).cidr,
  )
}

/** The address as 32 hex digits, IPv4 in its mapped form; null for an invalid address. */
export function addressKey(ip: string): string | null {
  const address = parseAddress(ip)
  return address === null ? null : hexOf(unmapped(address))
}

/** Merges networks into ascending ranges: the first and last address of each, all in one text. */
export function joinRanges(networks: readonly Pick<IpNetwork, 'first' | 'last'>[]): string {
  const merged: { first: string; last: string }[] = []
  for (const { first, last } of networks.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const previous = merged.at(-1)
    if (previous === undefined || previous.last < first) merged.push({ first, last })
    else if (previous.last < last) previous.last = last
  }
  return merged.map(({ first, last }) => first + last).join('')
}

const digits = 32

/** Whether ranges as `joinRanges` gives them hold an address. Binary search: nothing is parsed. */
export function rangesInclude(ranges: string, key: string): boolean {
  let [low, high] = [0, ranges.length / (2 * digits)]
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle * 2 * digits
    if (ranges.slice(start, start + digits) > key) high = middle
    else if (ranges.slice(start + digits, start + 2 * digits) < key) low = middle + 1
    else return true
  }
  return false
}

function parseAddress(text: string): Address | null {
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isPlain && !text.includes('%') ? { bytes: ipaddr.parse(text).toByteArray() } : null
}

/** IPv4 where the address is one mapped into IPv6. */
function unmapped(address: Address): Address {
  const isMapped =
    address.bytes.length === 16 && mappedPrefix.every((byte, index) => address.bytes[index] === byte)
  return isMapped ? { bytes: address.bytes.slice(mappedPrefix.length) } : address
}

function networkWithPrefix({ bytes }: Address, prefix: number): IpNetwork {
  const hostBits = (index: number) => 0xff >> Math.min(8, Math.max(0, prefix - index * 8))
  const first = bytes.map((byte, index) => byte & ~hostBits(index))
  const last = bytes.map((byte, index) => byte | hostBits(index))
  return {
    cidr: `${ipaddr.fromByteArray(first).toString()}/${prefix}`,
    first: hexOf({ bytes: first }),
    last: hexOf({ bytes: last }),
  }
}

function hexOf({ bytes }: Address): string {
  return Uint8Array.from(bytes.length === 4 ? [...mappedPrefix, ...bytes] : bytes).toHex()
}

/** An IP address, or a network in CIDR notation. */
export interface AddressRange {
  /** Whether the address lies in it; false for text that is no address. */
  contains(address: string): boolean
  /**
   * Beginning of the text of each address in it, in the form that `clientAddress` returns. Addresses outside may begin
   * so as well.
   */
  readonly prefix: string
  /** Single address, whose text is `prefix`. */
  readonly isSingle: boolean
}

/** Parses an address or a network; null for other text. */
export function parseAddressRange(text: string): AddressRange | null {
  const bare = text.trim()
  const [address = '', length, ...rest] = bare.split('/')
  if (
    !ipaddr.isValid(address) ||
    (ipaddr.IPv4.isIPv4(address) && !ipaddr.IPv4.isValidFourPartDecimal(address))
  )
    return null
  if (rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
  const parsed = ipaddr.process(address)
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const bits = length === undefined ? most : Number(length)
  if (bits > most) return null
  const contains = (other: string) => {
    if (!ipaddr.isValid(other)) return false
    const candidate = ipaddr.process(other)
    return candidate.kind() === parsed.kind() && candidate.match(parsed, bits)
  }
  if (bits === most) return { contains, prefix: parsed.toString(), isSingle: true }
  return { contains, isSingle: false, prefix: bitPrefixOf(parsed, bits) }
}

/** Whole groups of the network: bytes of IPv4, and of IPv6 the 16-bit groups before the first that is zero. */
function bitPrefixOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  if (address instanceof ipaddr.IPv4) {
    const whole = address.octets.slice(0, Math.floor(bits / 8))
    return whole.map((octet) => `${octet}.`).join('')
  }
  const whole = address.parts.slice(0, Math.floor(bits / 16))
  const end = whole.indexOf(0)
  const named = end === -1 ? whole : whole.slice(0, end)
  return named.map((part) => `${part.toString(16)}:`).join('')
}
