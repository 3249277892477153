import { decodeBase64 } from './structured'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 decoding is quadratic in the length: keys have 48 characters, signatures 89. */
const mostCharacters = 96

/** Decodes multibase in base58btc (`z`) or base64url (`u`); null for anything else, and for texts longer than needed. */
export function decodeMultibase(text: string): Uint8Array | null {
  if (text.length > mostCharacters) return null
  if (text.startsWith('z')) return fromBase58(text.slice(1))
  return text.startsWith('u') ? fromBase64Url(text.slice(1)) : null
}

function fromBase64Url(text: string): Uint8Array | null {
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
}

function fromBase58(text: string): Uint8Array | null {
  const bytes: number[] = []
  for (const letter of text) {
    let carry = base58.indexOf(letter)
    if (carry === -1) return null
    for (let index = 0; index < bytes.length; index += 1) {
      carry += (bytes[index] ?? 0) * 58
      bytes[index] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...Array<number>(zeros).fill(0), ...bytes.reverse()])
}
