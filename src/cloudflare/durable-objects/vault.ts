import { DurableObject } from 'cloudflare:workers'
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import {
  currentParameters,
  formatPasswordHash,
  parsePasswordHash,
  type ScryptParameters,
} from '../../lib/password-hash'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import { base64url, type InstanceSecrets } from '../../lib/secrets'
import { secretsOf } from '../config-cache'
import { prepareObject } from '../installation'

const keyBytes = 32

const signing = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const pushSigning = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const mostOpened = 200

/**
 * Heavy cryptography outside of requests: a request on the free plan has 10 ms of CPU, an object has 30 s. A password
 * takes some 400 ms and 16 MiB.
 */
export class Vault extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    prepareObject(state, env)
  }

  async hashPassword(password: string): Promise<string> {
    const salt = randomBytes(16)
    const key = await derive(password, salt, currentParameters)
    return formatPasswordHash({ parameters: currentParameters, salt: unpadded(salt), key: unpadded(key) })
  }

  async verifyPassword(password: string, hash: string): Promise<boolean> {
    const stored = parsePasswordHash(hash)
    if (stored === null) return false
    const expected = Buffer.from(stored.key, 'base64')
    const given = await derive(password, Buffer.from(stored.salt, 'base64'), stored.parameters)
    return expected.byteLength === given.byteLength && timingSafeEqual(expected, given)
  }

  /**
   * Generates an RSA-2048 pair for `owner`: the public half as PEM, the private half (PKCS#8) encrypted under the instance
   * secret.
   */
  async generateKeyPair(owner: number): Promise<{ publicKey: string; privateKey: string }> {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    }
    const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    if (!('publicKey' in pair)) throw new Error('The runtime made no key pair')
    const open = await bytesOf('spki', pair.publicKey)
    const secret = await bytesOf('pkcs8', pair.privateKey)
    return { publicKey: pem('PUBLIC KEY', open), privateKey: await this.#encrypt(actorKey(owner), secret) }
  }

  /**
   * Generates a P-256 pair for Web Push: the public half as browsers take it (base64url of the raw point), the
   * private half encrypted.
   */
  async generatePushKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])
    if (!('publicKey' in pair)) throw new Error('The runtime made no key pair')
    const open = await bytesOf('raw', pair.publicKey)
    const secret = await bytesOf('pkcs8', pair.privateKey)
    return { publicKey: base64url(open), privateKey: await this.#encrypt(pushKey, secret) }
  }

  /** Signs with the actor key of `owner`, for local requests. Opened keys are cached for the object's lifetime. */
  async sign(privateKey: string, bytes: Uint8Array, owner: number): Promise<Uint8Array> {
    const key = await this.#open(privateKey, actorKey(owner), signing)
    return new Uint8Array(await crypto.subtle.sign(signing, key, bytes))
  }

  /** Signs with the key of the instance, for Web Push. */
  async signPush(privateKey: string, bytes: Uint8Array): Promise<Uint8Array> {
    const key = await this.#open(privateKey, pushKey, pushSigning)
    return new Uint8Array(await crypto.subtle.sign(pushSigning, key, bytes))
  }

  readonly #opened = new Map<string, CryptoKey>()

  async #open(
    privateKey: string,
    binding: SealBinding,
    algorithm: typeof signing | typeof pushSigning,
  ): Promise<CryptoKey> {
    const name = `${binding.kind} ${binding.owner} ${privateKey}`
    const known = this.#opened.get(name)
    if (known !== undefined) return known
    const pkcs8 = await unseal(this.#secrets(), binding, privateKey)
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
    if (this.#opened.size >= mostOpened) this.#opened.clear()
    this.#opened.set(name, key)
    return key
  }

  #encrypt(binding: SealBinding, bytes: ArrayBuffer): Promise<string> {
    return seal(this.#secrets(), binding, bytes)
  }

  #secrets(): InstanceSecrets {
    return secretsOf(this.env)
  }
}

const pushKey: SealBinding = { kind: 'push key', owner: 0 }

function actorKey(owner: number): SealBinding {
  return { kind: 'actor key', owner }
}

function derive(password: string, salt: Uint8Array, parameters: ScryptParameters): Promise<Buffer> {
  const { costLog2, blockSize: r, parallelism: p } = parameters
  return new Promise((resolve, reject) => {
    // Keyboards compose a password differently: NFKC makes them equal.
    const cost = { N: 2 ** costLog2, r, p, maxmem: 64 * 1024 * 1024 }
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (failure, key) =>
      failure === null ? resolve(key) : reject(failure),
    )
  })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

async function bytesOf(format: 'spki' | 'pkcs8' | 'raw', key: CryptoKey): Promise<ArrayBuffer> {
  const exported = await crypto.subtle.exportKey(format, key)
  if (!(exported instanceof ArrayBuffer)) throw new Error('The runtime exported no bytes')
  return exported
}

function pem(label: string, bytes: ArrayBuffer): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
