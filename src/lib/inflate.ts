import { inflateRawSync, inflateSync } from 'node:zlib'

/**
 * Inflates to `most` bytes at most, whatever the file says about itself: null for more, and for damaged or cut data. Zeros
 * shrink to a thousandth, so that the bound has to hold while bytes come out.
 */
export function inflateWithin(data: Uint8Array, most: number, format: 'zlib' | 'raw'): Uint8Array | null {
  const inflate = format === 'zlib' ? inflateSync : inflateRawSync
  try {
    // workerd applies its limit in chunks and refuses sizes close to it.
    const bytes = inflate(data, { maxOutputLength: 2 * most + 65_536 })
    return bytes.length <= most ? bytes : null
  } catch {
    // zlib reports damaged, cut and oversized data alike, by throwing.
    return null
  }
}
