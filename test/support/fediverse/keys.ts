import { seal } from '../../../src/lib/sealing'
import type { InstanceSecrets } from '../../../src/lib/secrets'
import { sealUnbound } from '../sealed-values'
import { multibaseOf } from './multibase'

export type KeyName = 'rsa' | 'rsa-other' | 'rsa-first' | 'rsa-second' | 'rsa-third' | 'ed25519'

/**
 * A real key pair. RSA pairs are slow to make, so all actors of a run share a few, of half the usual length: signing takes
 * a fifth of the time.
 */
export interface TestKey {
  readonly name: KeyName
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly publicPem: string
  /** Multibase of the raw key with its multicodec prefix; Ed25519 only. */
  readonly multibase: string | null
}

const algorithms = {
  rsa: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  ed25519: { name: 'Ed25519' },
}

const made = new Map<KeyName, Promise<TestKey>>()

/** The pair of this name, made once in the whole run. */
export function testKey(name: KeyName = 'rsa'): Promise<TestKey> {
  const known = made.get(name)
  if (known !== undefined) return known
  const key = generate(name)
  made.set(name, key)
  return key
}

async function generate(name: KeyName): Promise<TestKey> {
  const algorithm = name === 'ed25519' ? algorithms.ed25519 : algorithms.rsa
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  if (!('publicKey' in pair)) throw new Error('The runtime made no key pair')
  const { privateKey, publicKey } = pair
  const publicPem = pem('PUBLIC KEY', await exported('spki', publicKey))
  const multibase =
    name === 'ed25519'
      ? multibaseOf(Uint8Array.of(0xed, 0x01, ...new Uint8Array(await exported('raw', publicKey))))
      : null
  return { name, privateKey, publicKey, publicPem, multibase }
}

/** The pair every local account of a test signs with, as the vault would have stored it for `owner`. */
export async function localKeyPair(secrets: InstanceSecrets, owner: number, name: KeyName = 'rsa') {
  const { publicPem, privateKey } = await testKey(name)
  const binding = { kind: 'actor key', owner } as const
  return {
    publicKey: publicPem,
    privateKey: await seal(secrets, binding, await exported('pkcs8', privateKey)),
  }
}

/** Pair of `localKeyPair` as servers stored it before keys were bound to their accounts: one text for all. */
export async function unboundKeyPair({ current }: InstanceSecrets) {
  const { publicPem, privateKey } = await testKey('rsa')
  return {
    publicKey: publicPem,
    privateKey: await sealUnbound(current.text, await exported('pkcs8', privateKey)),
  }
}

async function exported(format: 'spki' | 'pkcs8' | 'raw', key: CryptoKey): Promise<ArrayBuffer> {
  const bytes = await crypto.subtle.exportKey(format, key)
  if (!(bytes instanceof ArrayBuffer)) throw new Error('The runtime exported no bytes')
  return bytes
}

function pem(label: string, bytes: ArrayBuffer): string {
  const lines = new Uint8Array(bytes).toBase64().match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
