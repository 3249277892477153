import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { vaultOf } from '../../../src/cloudflare/vault'
import { isOutdatedHash } from '../../../src/lib/password-hash'

/** The object itself: the vault of `context()` remembers what it derived. */
const vault = vaultOf(env, { add: () => undefined })

describe('the vault', () => {
  it('verifies a password, and no other', async () => {
    const hash = await vault.hashPassword('correct horse')
    expect(await vault.verifyPassword('correct horse', hash)).toBe(true)
    expect(await vault.verifyPassword('correct horsf', hash)).toBe(false)
    expect(await vault.verifyPassword('', hash)).toBe(false)
  })

  it('writes the parameters of a hash beside it and salts each one', async () => {
    const [one, two] = [await vault.hashPassword('same'), await vault.hashPassword('same')]
    expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(two)
    expect(isOutdatedHash(one)).toBe(false)
  })

  it('verifies hashes of earlier parameters', async () => {
    // Made by Python's hashlib: N = 16,384, r = 8, p = 1.
    const first = 'scrypt1$AAECAwQFBgcICQoLDA0ODw$JbN2hANm9NOw4h5BRHZnbjzQ6Jr0QwNWojTOC2WgIbU'
    const cheap = '$scrypt$ln=4,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$Q7EcH175P/kcU7JE2HRU+qTRrq/BS6UbCRYPdBaC5y8'
    for (const hash of [first, cheap]) {
      expect(await vault.verifyPassword('correct horse', hash)).toBe(true)
      expect(await vault.verifyPassword('correct horsf', hash)).toBe(false)
      expect(isOutdatedHash(hash)).toBe(true)
    }
  })

  it('accepts a password in any Unicode composition', async () => {
    const hash = await vault.hashPassword('gr\u00fc\u00dfe')
    expect(await vault.verifyPassword('gru\u0308\u00dfe', hash)).toBe(true)
  })

  it.each([
    '',
    'none',
    'scrypt2$a$b',
    'scrypt1$',
    'scrypt1$a',
    '$$',
    'scrypt1$$',
    '$scrypt$ln=14,r=8,p=5$$',
    '$scrypt$ln=0,r=8,p=5$AAAA$AAAA',
    '$scrypt$ln=30,r=8,p=5$AAAA$AAAA',
    '$argon2id$v=19$m=65536,t=3,p=4$AAAA$AAAA',
  ])('verifies nothing by the hash %j', async (hash) => {
    expect(await vault.verifyPassword('', hash)).toBe(false)
    expect(await vault.verifyPassword('x', hash)).toBe(false)
  })

  it('creates key pairs whose private half leaves it encrypted', async () => {
    const pair = await vault.generateKeyPair(7)
    expect(pair.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\w+/=\n]+-----END PUBLIC KEY-----\n$/)
    expect(pair.privateKey).toMatch(/^aesgcm2\$[0-9a-f]{8}\$[\w-]{16}\$[\w-]+$/)
  })

  it('signs with an actor key as its public half confirms', async () => {
    const pair = await vault.generateKeyPair(7)
    const bytes = new TextEncoder().encode('a text to sign')
    const signature = await vault.sign(pair.privateKey, bytes, 7)
    const der = Uint8Array.fromBase64(pair.publicKey.replaceAll(/-----[^-]+-----|\s/g, ''))
    const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('spki', der, rsa, false, ['verify'])
    expect(await crypto.subtle.verify(rsa, key, signature, bytes)).toBe(true)
    expect(await crypto.subtle.verify(rsa, key, signature, new Uint8Array(3))).toBe(false)
  })

  it('signs for Web Push as the public half confirms', async () => {
    const pair = await vault.generatePushKeyPair()
    const bytes = new TextEncoder().encode('a text to sign')
    const signature = await vault.signPush(pair.privateKey, bytes)
    expect(signature.byteLength).toBe(64)
    const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
    const point = Uint8Array.fromBase64(pair.publicKey, { alphabet: 'base64url' })
    const key = await crypto.subtle.importKey('raw', point, ecdsa, false, ['verify'])
    expect(await crypto.subtle.verify(ecdsa, key, signature, bytes)).toBe(true)
    expect(await crypto.subtle.verify(ecdsa, key, signature, new Uint8Array(3))).toBe(false)
  })
})
