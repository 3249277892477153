import { describe, expect, it } from 'vitest'
import { base64url } from '../../../src/lib/secrets'
import { fromBase64url, readReceiverKeys } from '../../../src/lib/web-push'

const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const classic = (text: string) => `${text.replaceAll('-', '+').replaceAll('_', '/')}=`

describe('the keys of a receiver', () => {
  it('reads the keys of a receiver in either alphabet, padded or not', async () => {
    expect(await readReceiverKeys(keys)).toEqual(keys)
    const sent = { p256dh: ` ${classic(keys.p256dh)}\n`, auth: `${classic(keys.auth)}=` }
    expect(await readReceiverKeys(sent)).toEqual(keys)
  })

  const point = fromBase64url(keys.p256dh)
  const changed = (change: (bytes: Uint8Array) => Uint8Array) => base64url(change(point.slice()))
  it.each([
    ['nothing', ''],
    ['no base64', 'not a key!'],
    ['half a byte', `${keys.p256dh}A`],
    ['an endless text', 'A'.repeat(100_000)],
    ['a short point', changed((bytes) => bytes.slice(0, 64))],
    ['a compressed point', changed((bytes) => bytes.slice(0, 33).fill(2, 0, 1))],
    ['a point of another form', changed((bytes) => bytes.fill(6, 0, 1))],
    ['a point beside the curve', changed((bytes) => bytes.fill(1, 64))],
    ['the point at infinity', changed((bytes) => bytes.fill(0))],
  ])('refuses keys that are %s', async (_, p256dh) => {
    expect(await readReceiverKeys({ ...keys, p256dh })).toBeNull()
  })

  it.each(['', 'BTBZMqHH6r4Tts7J_aSI', 'BTBZMqHH6r4Tts7J_aSIggBT', '%'])(
    'refuses the secret %j',
    async (auth) => {
      expect(await readReceiverKeys({ ...keys, auth })).toBeNull()
    },
  )
})
