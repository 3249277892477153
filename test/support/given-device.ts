import { as } from './as'
import { given, type TestAccount } from './given'

/** Somebody's application that encrypts: what it is called, and the key it signs with. */
export interface TestDevice {
  readonly owner: TestAccount
  readonly token: string
  readonly deviceId: string
  readonly device: Readonly<Record<'device_id' | 'name' | 'fingerprint_key' | 'identity_key', string>>
  /** A one-time key that it signed. */
  oneTimeKey(keyId: string): Promise<Readonly<Record<'key_id' | 'key' | 'signature', string>>>
}

/** As olm writes it: without padding. */
const base64 = (bytes: ArrayBuffer | Uint8Array) => new Uint8Array(bytes).toBase64({ omitPadding: true })

export const publicKey = () => base64(crypto.getRandomValues(new Uint8Array(32)))

let made = 0

/** A device that is not uploaded yet, under a token of its own. */
export async function unknownDevice(owner?: TestAccount, token?: string): Promise<TestDevice> {
  const person = owner ?? (await given.account())
  made += 1
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('Ed25519 has two halves')
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey)
  if (!(raw instanceof ArrayBuffer)) throw new Error('Not raw')
  const deviceId = `DEVICE${made}`
  const device = {
    device_id: deviceId,
    name: 'Phone',
    fingerprint_key: base64(raw),
    identity_key: publicKey(),
  }
  const sign = async (key: string) =>
    base64(await crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(key)))
  return {
    owner: person,
    deviceId,
    device,
    token: token ?? (await given.token({ accountId: person.id, scopes: 'read crypto' })),
    oneTimeKey: async (keyId) => {
      const key = publicKey()
      return { key_id: keyId, key, signature: await sign(key) }
    },
  }
}

/** A device others can write to, with so many one-time keys. */
export async function givenDevice(owner?: TestAccount, keys = 0, token?: string): Promise<TestDevice> {
  const device = await unknownDevice(owner, token)
  const one_time_keys = await Promise.all(
    Array.from({ length: keys }, (_, index) => device.oneTimeKey(`key${index}`)),
  )
  const { status, body } = await as(device.token).post('/api/v1/crypto/keys/upload', {
    device: device.device,
    one_time_keys,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return device
}

/** An encrypted message to a device. */
export function encryptedMessageTo({ owner, deviceId }: TestDevice, body = 'sealed') {
  return { account_id: String(owner.id), device_id: deviceId, type: 1, body, hmac: 'signed' }
}

/** Makes the application somebody is signed in with a device that has all that one can have, and 40 messages. */
export async function fullDevice(owner: TestAccount): Promise<void> {
  const device = await givenDevice(owner, 100, owner.token)
  const body = { device: Array.from({ length: 20 }, () => encryptedMessageTo(device)) }
  for (const _ of [1, 2]) await as(device.token).post('/api/v1/crypto/deliveries', body)
}
