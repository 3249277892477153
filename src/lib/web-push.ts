import { base64url } from './secrets'

const curve = { name: 'ECDH', namedCurve: 'P-256' }
const recordBytes = 4_096
const encoder = new TextEncoder()

/** Maximum size of a message: push services limit the body, and either form has overhead. */
export const mostMessageBytes = recordBytes - 16 - 65 - 4 - 1 - 16 - 1

/** Ephemeral keys and salt of a single message. */
export interface Sender {
  readonly keys: CryptoKeyPair
  readonly salt: Uint8Array
}

/** An encrypted message with its headers. */
export interface Encrypted {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** Header value of the older form, shared with the key of the server. */
  readonly cryptoKey: string | null
}

export async function newSender(): Promise<Sender> {
  const keys = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  if (!('publicKey' in keys)) throw new Error('generateKey returned no key pair')
  return { keys, salt: crypto.getRandomValues(new Uint8Array(16)) }
}

/** Encrypts by RFC 8291: one record of aes128gcm, with salt and key before it. */
export async function encrypt(
  message: Uint8Array,
  receiver: ReceiverKeys,
  { keys, salt }: Sender,
): Promise<Encrypted> {
  const [receiverKey, senderKey] = [fromBase64url(receiver.p256dh), await rawOf(keys.publicKey)]
  const shared = await agree(keys.privateKey, receiverKey)
  const info = joined(encoder.encode('WebPush: info\0'), receiverKey, senderKey)
  const material = await derive(shared, { salt: fromBase64url(receiver.auth), info, bytes: 32 })
  const body = await sealRecord(message, { material, salt, keyId: senderKey })
  return { body, headers: { 'content-encoding': 'aes128gcm' }, cryptoKey: null }
}

/** A single record of aes128gcm (RFC 8188) with its header. */
export async function sealRecord(
  message: Uint8Array,
  from: { readonly material: Uint8Array; readonly salt: Uint8Array; readonly keyId: Uint8Array },
): Promise<Uint8Array> {
  const { material, salt, keyId } = from
  const key = await derive(material, {
    salt,
    info: encoder.encode('Content-Encoding: aes128gcm\0'),
    bytes: 16,
  })
  const nonce = await derive(material, { salt, info: encoder.encode('Content-Encoding: nonce\0'), bytes: 12 })
  const header = new Uint8Array(21)
  header.set(salt)
  new DataView(header.buffer).setUint32(16, recordBytes)
  header[20] = keyId.byteLength
  // The last record ends in a 2.
  return joined(header, keyId, await seal(joined(message, new Uint8Array([2])), key, nonce))
}

/**
 * Encrypts by the draft before the standard (aesgcm, draft-ietf-webpush-encryption-04), with salt and key in
 * headers, for clients that do not request the standard.
 */
export async function encryptAsDraft(
  message: Uint8Array,
  receiver: ReceiverKeys,
  { keys, salt }: Sender,
): Promise<Encrypted> {
  const [receiverKey, senderKey] = [fromBase64url(receiver.p256dh), await rawOf(keys.publicKey)]
  const shared = await agree(keys.privateKey, receiverKey)
  const secret = { salt: fromBase64url(receiver.auth), info: encoder.encode('Content-Encoding: auth\0') }
  const material = await derive(shared, { ...secret, bytes: 32 })
  const context = joined(encoder.encode('P-256\0'), withLength(receiverKey), withLength(senderKey))
  const infoOf = (use: string) => joined(encoder.encode(`Content-Encoding: ${use}\0`), context)
  const key = await derive(material, { salt, info: infoOf('aesgcm'), bytes: 16 })
  const nonce = await derive(material, { salt, info: infoOf('nonce'), bytes: 12 })
  // Two bytes hold the padding length: zero.
  const body = await seal(joined(new Uint8Array(2), message), key, nonce)
  const headers = { 'content-encoding': 'aesgcm', encryption: `salt=${base64url(salt)}` }
  return { body, headers, cryptoKey: `dh=${base64url(senderKey)}` }
}

async function agree(privateKey: CryptoKey, receiverKey: Uint8Array): Promise<Uint8Array> {
  // Workers' own types call the other side `$public`; the runtime uses the standard name.
  const algorithm = { name: 'ECDH', public: await importPoint(receiverKey) }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, privateKey, 256))
}

interface Derivation {
  readonly salt: Uint8Array
  readonly info: Uint8Array
  readonly bytes: number
}

async function derive(material: Uint8Array, { salt, info, bytes }: Derivation): Promise<Uint8Array> {
  const base = await crypto.subtle.importKey('raw', material, 'HKDF', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, base, bytes * 8)
  return new Uint8Array(bits)
}

async function seal(plain: Uint8Array, key: Uint8Array, nonce: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  return new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, imported, plain))
}

async function rawOf(key: CryptoKey): Promise<Uint8Array> {
  const raw = await crypto.subtle.exportKey('raw', key)
  if (!(raw instanceof ArrayBuffer)) throw new Error('exportKey returned no bytes')
  return new Uint8Array(raw)
}

function withLength(bytes: Uint8Array): Uint8Array {
  return joined(new Uint8Array([bytes.byteLength >> 8, bytes.byteLength & 255]), bytes)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

const hour = 3_600_000

/** Reuse time of a token; it is valid an hour longer, for clocks that go wrong. At most a day is allowed. */
export const tokenHours = 12

/** Signs with the key of the instance: ECDSA on P-256 with SHA-256, both numbers in a row. */
export type SignPush = (bytes: Uint8Array) => Promise<Uint8Array>

/**
 * VAPID token (RFC 8292): identifies this server to the push service at `origin`, with a contact address of the
 * operator.
 */
export async function vapidToken(
  sign: SignPush,
  claims: { readonly origin: string; readonly contact: string; readonly now: Date },
): Promise<string> {
  const expires = Math.floor((claims.now.getTime() + (tokenHours + 1) * hour) / 1000)
  const parts = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: claims.origin, exp: expires, sub: claims.contact },
  ]
  const signed = parts.map((part) => base64url(encoder.encode(JSON.stringify(part)))).join('.')
  return `${signed}.${base64url(await sign(encoder.encode(signed)))}`
}

const pointBytes = 65
const secretBytes = 16

/** The keys of a subscription, as base64url without padding. */
interface ReceiverKeys {
  readonly p256dh: string
  readonly auth: string
}

/**
 * Parses the keys as clients send them, in either alphabet of base64, padded or not; null unless they are an
 * uncompressed point on P-256 and 16 bytes.
 */
export async function readReceiverKeys({ p256dh, auth }: ReceiverKeys): Promise<ReceiverKeys | null> {
  const [point, secret] = [bytesOf(p256dh), bytesOf(auth)]
  if (point?.byteLength !== pointBytes || secret?.byteLength !== secretBytes) return null
  if (!(await isOnCurve(point))) return null
  return { p256dh: base64url(point), auth: base64url(secret) }
}

/** Imports the public key of a receiver. Throws if it is not a point on the curve. */
export function importPoint(point: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', point, curve, true, [])
}

async function isOnCurve(point: Uint8Array): Promise<boolean> {
  try {
    await importPoint(point)
    return true
  } catch (refusal) {
    if (refusal instanceof DOMException) return false
    throw refusal
  }
}

function bytesOf(text: string): Uint8Array | null {
  const plain = text
    .trim()
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
  return /^[\w-]{1,200}$/.test(plain) && plain.length % 4 !== 1 ? fromBase64url(plain) : null
}

export function fromBase64url(text: string): Uint8Array {
  return Uint8Array.fromBase64(text, { alphabet: 'base64url' })
}
