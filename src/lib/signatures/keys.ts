import { decodeBase64 } from './structured'

/** A public key as its bytes: SubjectPublicKeyInfo for RSA, the raw 32 bytes for Ed25519. */
export interface PublicKey {
  readonly kind: 'rsa' | 'ed25519'
  readonly bytes: Uint8Array
}

/** 8,192-bit RSA with a margin: larger keys only serve to waste CPU. */
const mostBytes = 1_200
const mostCharacters = 4_096

/** `SEQUENCE { SEQUENCE { OID 1.3.101.112 } BIT STRING }` up to the 32 bytes of the key. */
const ed25519Header = Uint8Array.fromHex('302a300506032b6570032100')
/** `SEQUENCE { OID rsaEncryption, NULL }`: the part that turns a PKCS#1 key into a SubjectPublicKeyInfo. */
const rsaAlgorithm = Uint8Array.fromHex('300d06092a864886f70d0101010500')
const multicodecEd25519 = [0xed, 0x01]

/**
 * Parses a public key: PEM with SPKI or PKCS#1 inside, whatever its header claims, or multibase (Ed25519). Null
 * for everything else.
 *
 * Servers are known to lose line breaks, to write them as `\n` and to add spaces.
 */
export function parsePublicKey(text: string): PublicKey | null {
  if (text.length > mostCharacters) return null
  const plain = text.replaceAll(/\\r|\\n/g, '\n').trim()
  return /^[zu][\w-]+$/.test(plain) ? fromMultibase(plain) : fromPem(plain)
}

function fromPem(plain: string): PublicKey | null {
  const body = plain.replaceAll(/-----[A-Z0-9 ]+-----/g, '').replaceAll(/\s/g, '')
  const der = decodeBase64(body)
  if (der === null || der.length > mostBytes || der[0] !== 0x30) return null
  if (startsWith(der, ed25519Header)) return ed25519(der.slice(ed25519Header.length))
  const inner = contentStart(der)
  // PKCS#1 starts with the modulus (INTEGER), SPKI with the algorithm (SEQUENCE).
  if (der[inner] === 0x02) return { kind: 'rsa', bytes: wrapped(der) }
  return startsWith(der.subarray(inner), rsaAlgorithm) ? { kind: 'rsa', bytes: der } : null
}

function fromMultibase(text: string): PublicKey | null {
  const bytes = decodeMultibase(text)
  if (bytes === null || !startsWith(bytes, multicodecEd25519)) return null
  return ed25519(bytes.slice(multicodecEd25519.length))
}

function ed25519(bytes: Uint8Array): PublicKey | null {
  return bytes.length === 32 ? { kind: 'ed25519', bytes } : null
}

function wrapped(pkcs1: Uint8Array): Uint8Array {
  const bitString = element(0x03, Uint8Array.of(0, ...pkcs1))
  return element(0x30, Uint8Array.of(...rsaAlgorithm, ...bitString))
}

function element(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Uint8Array.of(tag, ...size, ...content)
}

function contentStart(der: Uint8Array): number {
  const size = der[1] ?? 0
  return size < 0x80 ? 2 : 2 + (size & 0x7f)
}

function startsWith(bytes: Uint8Array, start: ArrayLike<number>): boolean {
  return Array.from(start).every((byte, index) => bytes[index] === byte)
}

interface Scheme {
  readonly algorithm: { readonly name: string; readonly hash: string }
  readonly parameters: { readonly name: string; readonly saltLength?: number }
}

/** Signature schemes of RSA keys in use, the most common first. */
const rsaSchemes: readonly Scheme[] = [
  ...['SHA-256', 'SHA-512'].map((hash) => ({
    algorithm: { name: 'RSASSA-PKCS1-v1_5', hash },
    parameters: { name: 'RSASSA-PKCS1-v1_5' },
  })),
  {
    algorithm: { name: 'RSA-PSS', hash: 'SHA-512' },
    parameters: { name: 'RSA-PSS', saltLength: 64 },
  },
]

/**
 * Verifies that the owner of `key` signed `bytes`. The algorithm follows from the key, never from the message;
 * an RSA key may have been used with PKCS#1 v1.5 (SHA-256, SHA-512) or PSS (SHA-512).
 */
export async function verifiesSignature(
  key: PublicKey,
  signature: Uint8Array,
  bytes: Uint8Array,
): Promise<boolean> {
  if (key.kind === 'ed25519') {
    // The runtime throws for any other length.
    if (signature.length !== 64) return false
    const opened = await verifiesWithScheme('raw', key.bytes, { name: 'Ed25519' })
    return opened !== null && crypto.subtle.verify('Ed25519', opened, signature, bytes)
  }
  for (const { algorithm, parameters } of rsaSchemes) {
    const opened = await verifiesWithScheme('spki', key.bytes, algorithm)
    if (opened === null) return false
    if (await crypto.subtle.verify(parameters, opened, signature, bytes)) return true
  }
  return false
}

/** Null for bytes that only look like a key. */
async function verifiesWithScheme(
  format: 'raw' | 'spki',
  bytes: Uint8Array,
  algorithm: { readonly name: string; readonly hash?: string },
): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey(format, bytes, algorithm, false, ['verify'])
  } catch (failure) {
    if (failure instanceof DOMException) return null
    throw failure
  }
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 decoding is quadratic in the length: keys have 48 characters, signatures 89. */
const mostMultibaseCharacters = 96

/** Decodes multibase in base58btc (`z`) or base64url (`u`); null for anything else, and for texts longer than needed. */
export function decodeMultibase(text: string): Uint8Array | null {
  if (text.length > mostMultibaseCharacters) return null
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
