import ipaddr from 'ipaddr.js'

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
  return { contains, isSingle: false, prefix: prefixOf(parsed, bits) }
}

/** Whole groups of the network: bytes of IPv4, and of IPv6 the 16-bit groups before the first that is zero. */
function prefixOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  if (address instanceof ipaddr.IPv4) {
    const whole = address.octets.slice(0, Math.floor(bits / 8))
    return whole.map((octet) => `${octet}.`).join('')
  }
  const whole = address.parts.slice(0, Math.floor(bits / 16))
  const end = whole.indexOf(0)
  const named = end === -1 ? whole : whole.slice(0, end)
  return named.map((part) => `${part.toString(16)}:`).join('')
}
