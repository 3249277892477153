import { describe, expect, it } from 'vitest'
import { parsePublicKey, verifiesSignature } from '../../../src/lib/signatures/keys'
import { ed25519Keys, type Keys, rsaKeys } from '../../support/keys'

const text = new TextEncoder().encode('a text')
const rsa = await rsaKeys()
const ed = await ed25519Keys()

async function fits(keys: Keys, written: string): Promise<boolean> {
  const key = parsePublicKey(written)
  return key !== null && verifiesSignature(key, await keys.sign(text), text)
}

const derOf = (pem: string) => Uint8Array.fromBase64(pem.replaceAll(/-----[^-]+-----|\s/g, ''))

/** The key inside a SubjectPublicKeyInfo of 2048 bits: 24 bytes stand before it. */
function pkcs1Of(pem: string, label = 'RSA PUBLIC KEY'): string {
  return `-----BEGIN ${label}-----\n${derOf(pem).slice(24).toBase64()}\n-----END ${label}-----`
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function multibase(raw: Uint8Array): string {
  let number = BigInt(`0xed01${raw.toHex()}`)
  let out = ''
  for (; number > 0n; number /= 58n) out = (alphabet[Number(number % 58n)] ?? '') + out
  return `z${out}`
}

describe('a public key', () => {
  it.each([
    ['SPKI', rsa.publicKey],
    ['PKCS#1', pkcs1Of(rsa.publicKey)],
    ['PKCS#1 under the header of SPKI', pkcs1Of(rsa.publicKey, 'PUBLIC KEY')],
    ['line breaks written as \\n', rsa.publicKey.replaceAll('\n', '\\n')],
    ['line breaks written as \\r\\n', rsa.publicKey.replaceAll('\n', '\\r\\n')],
    ['Windows line breaks', rsa.publicKey.replaceAll('\n', '\r\n')],
    ['spaces around every line', `\n  ${rsa.publicKey.replaceAll('\n', '  \n\t ')}  `],
    ['no line breaks at all', rsa.publicKey.replaceAll('\n', '')],
    ['no header', derOf(rsa.publicKey).toBase64()],
  ])('reads an RSA key from %s [T-674]', async (_form, written) => {
    expect(await fits(rsa, written)).toBe(true)
  })

  it.each([
    ['SPKI', ed.publicKey],
    ['multibase, base58', multibase(derOf(ed.publicKey).slice(12))],
    [
      'multibase, base64url',
      `u${Uint8Array.of(0xed, 1, ...derOf(ed.publicKey).slice(12)).toBase64({ alphabet: 'base64url', omitPadding: true })}`,
    ],
  ])('reads an Ed25519 key from %s', async (_form, written) => {
    expect(await fits(ed, written)).toBe(true)
  })

  it('a public key verifies no other signature', async () => {
    const key = parsePublicKey(rsa.publicKey)
    if (key === null) throw new Error('unread')
    expect(await verifiesSignature(key, await rsa.sign(text), new Uint8Array(3))).toBe(false)
    expect(await verifiesSignature(key, new Uint8Array(), text)).toBe(false)
    expect(await verifiesSignature(key, new Uint8Array(10_000), text)).toBe(false)
  })

  it.each([1, 63, 65, 256])('an Ed25519 key verifies no signature of %i bytes', async (length) => {
    const key = parsePublicKey(ed.publicKey)
    if (key === null) throw new Error('unread')
    expect(await verifiesSignature(key, new Uint8Array(length), text)).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['a sentence', 'this is no key'],
    [
      'a private key',
      '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----',
    ],
    ['a key cut short', rsa.publicKey.slice(0, 200)],
    ['another multicodec', 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc'],
    ['letters base58 has not', 'z0OIl'],
    ['an endless multibase', `z${'2'.repeat(4_000)}`],
    ['an endless text', 'A'.repeat(100_000)],
    ['nothing but dashes', '-'.repeat(4_000)],
    [
      'RSA of 16,384 bits',
      `-----BEGIN PUBLIC KEY-----\n${Uint8Array.of(0x30, 0x82, 8, 0, ...new Uint8Array(2_100)).toBase64()}\n-----END PUBLIC KEY-----`,
    ],
  ])('finds no public key in %s', async (_form, written) => {
    expect(await fits(rsa, written)).toBe(false)
  })
})
