import { Buffer } from 'node:buffer'
import { createECDH } from 'node:crypto'
import ece from 'http_ece'
import { describe, expect, it } from 'vitest'
import { base64url } from '../../../src/lib/secrets'
import {
  encrypt,
  encryptAsDraft,
  fromBase64url,
  importPoint,
  mostMessageBytes,
  newSender,
  sealRecord,
} from '../../../src/lib/web-push'

const text = (words: string) => new TextEncoder().encode(words)

/** RFC 8291, appendix A. */
const vector = {
  message: text('When I grow up, I want to be a watermelon'),
  sender: {
    publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  },
  receiver: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  body: `DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w
    EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN`,
}

async function senderOf({ publicKey, privateKey, salt }: typeof vector.sender) {
  const point = fromBase64url(publicKey)
  const [x, y] = [point.slice(1, 33), point.slice(33)].map(base64url)
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: privateKey }
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const secret = await crypto.subtle.importKey('jwk', jwk, curve, true, ['deriveBits'])
  return { keys: { publicKey: await importPoint(point), privateKey: secret }, salt: fromBase64url(salt) }
}

describe('the standard form', () => {
  it('encrypts the example of RFC 8291', async () => {
    const { body, headers, cryptoKey } = await encrypt(
      vector.message,
      vector.receiver,
      await senderOf(vector.sender),
    )
    expect(base64url(body)).toBe(vector.body.replaceAll(/\s/g, ''))
    expect(headers).toEqual({ 'content-encoding': 'aes128gcm' })
    expect(cryptoKey).toBeNull()
  })

  it('writes records by RFC 8188, 3.1', async () => {
    const record = await sealRecord(text('I am the walrus'), {
      material: fromBase64url('yqdlZ-tYemfogSmv7Ws5PQ'),
      salt: fromBase64url('I1BsxtFttlv3u_Oo94xnmw'),
      keyId: new Uint8Array(),
    })
    expect(base64url(record)).toBe('I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
  })

  it('pads the longest message to a body of 4096 bytes, and never repeats it', async () => {
    const message = new Uint8Array(mostMessageBytes)
    const [one, two] = [await newSender(), await newSender()]
    const first = await encrypt(message, vector.receiver, one)
    expect(first.body.byteLength).toBe(4096)
    expect(base64url(first.body)).not.toBe(base64url((await encrypt(message, vector.receiver, two)).body))
  })
})

describe('both forms', () => {
  const device = createECDH('prime256v1')
  device.generateKeys()
  const auth = 'BTBZMqHH6r4Tts7J_aSIgg'
  const receiver = { p256dh: device.getPublicKey('base64url'), auth }
  const message = text('Grüße an den Fjord 🦜')

  it('an encrypted message can be read by an independent library', async () => {
    const standard = await encrypt(message, receiver, await newSender())
    const secrets = { privateKey: device, authSecret: auth }
    expect(ece.decrypt(Buffer.from(standard.body), { version: 'aes128gcm', ...secrets })).toEqual(
      Buffer.from(message),
    )
    const draft = await encryptAsDraft(message, receiver, await newSender())
    const salt = draft.headers['encryption']?.replace('salt=', '') ?? ''
    const dh = draft.cryptoKey?.replace('dh=', '') ?? ''
    expect(draft.headers['content-encoding']).toBe('aesgcm')
    expect(ece.decrypt(Buffer.from(draft.body), { version: 'aesgcm', dh, salt, ...secrets })).toEqual(
      Buffer.from(message),
    )
  })

  it('an encrypted message cannot be read with another key', async () => {
    const other = createECDH('prime256v1')
    other.generateKeys()
    const { body } = await encrypt(message, receiver, await newSender())
    const open = (privateKey: typeof device, authSecret: string) => () =>
      ece.decrypt(Buffer.from(body), { version: 'aes128gcm', privateKey, authSecret })
    expect(open(other, auth)).toThrow()
    expect(open(device, 'AAAAAAAAAAAAAAAAAAAAAA')).toThrow()
  })
})
