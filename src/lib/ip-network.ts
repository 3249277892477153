import ipaddr from 'ipaddr.js'

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
  return prefix < 0 || prefix > most ? null : networkOf(address, prefix)
}

/** Every network that an address lies in, in CIDR notation; empty for what is no address. */
export function networksAround(ip: string): readonly string[] {
  const sent = parseAddress(ip)
  if (sent === null) return []
  const address = unmapped(sent)
  return Array.from({ length: address.bytes.length * 8 + 1 }, (_, prefix) => networkOf(address, prefix).cidr)
}

/** The address as 32 hex digits, IPv4 in its mapped form; null for what is no address. */
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

function networkOf({ bytes }: Address, prefix: number): IpNetwork {
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
