import { expect, it } from 'vitest'
import { base64url } from '../../../src/lib/secrets'
import { vapidToken } from '../../../src/lib/web-push'

it('identifies this server to a push service, signed, for twelve hours and one more', async () => {
  const now = new Date('2026-11-01T12:00:00.000Z')
  const signature = new Uint8Array(64).fill(7)
  const seen: string[] = []
  const sign = async (bytes: Uint8Array) => {
    seen.push(new TextDecoder().decode(bytes))
    return signature
  }
  const claims = { origin: 'https://push.test', contact: 'https://fieldfare.test', now }
  const [head, body, signed] = (await vapidToken(sign, claims)).split('.')
  expect(seen).toEqual([`${head}.${body}`])
  expect(signed).toBe(base64url(signature))
  expect(JSON.parse(atob(head ?? ''))).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(JSON.parse(atob(body ?? ''))).toEqual({
    aud: 'https://push.test',
    exp: now.getTime() / 1000 + 13 * 3600,
    sub: 'https://fieldfare.test',
  })
})
