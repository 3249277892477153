import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { encodePng } from '../../../src/lib/media/png'
import { call } from '../support/http'
import { newPerson, origin } from '../support/people'
import { signInTo, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

const most = 100 * 1024
const side = 400

/** Colours of a photograph with details of some five pixels, another one for each number. */
function photograph(number: number): Uint8Array {
  const rgb = new Uint8Array(side * side * 3)
  for (let at = 0; at < rgb.length; at++) {
    const [x, y] = [Math.floor(at / 3) % side, Math.floor(at / 3 / side)]
    const detail = (Math.floor(x / 5) * 48_271 + Math.floor(y / 5) * 69_621 + number * 16_807) % 97
    rgb[at] = 100 + 50 * Math.sin(x / (20 + number)) + 40 * Math.cos(y / 40 + (at % 3)) + detail / 2
  }
  return encodePng({ width: side, height: side, rgb })
}

/** An account with a photograph for an avatar, and a post. */
async function givenAuthor(number: number) {
  const person = await newPerson('author')
  const form = new FormData()
  form.set('avatar', new File([Uint8Array.from(photograph(number))], 'me.png', { type: 'image/png' }))
  const changed = await call('/api/v1/accounts/update_credentials', {
    method: 'PATCH',
    body: form,
    as: person,
  })
  expect(changed.status).toBe(200)
  const body = new URLSearchParams({ status: `Photograph number ${number}, of waxwings in a rowan tree` })
  expect((await call('/api/v1/statuses', { method: 'POST', body, as: person })).status).toBe(200)
  return person
}

/** Addresses of what a browser loads with a page: its styles, scripts, icons and pictures. */
function loadedBy(html: string): readonly string[] {
  const files = [
    ...html.matchAll(/<(?:script|img)[^>]* src="([^"]+)"/g),
    ...html.matchAll(/<use href="([^"#]+)#/g),
  ]
  const styles = html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)
  return [...new Set([...files, ...styles].map(([, address = '']) => address))]
}

async function bytesOf(address: string): Promise<number> {
  const answer = await fetch(new URL(address, origin))
  expect(answer.status, address).toBe(200)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const isText = /text|javascript|svg|json/.test(answer.headers.get('content-type') ?? '')
  return isText ? gzipSync(bytes).byteLength : bytes.byteLength
}

it('the first load of home with twenty photographs for avatars takes at most 100 KiB', async () => {
  const visitor = new Visitor()
  const member = await signUp(visitor)
  const before = await signInTo(visitor, member, '/home')
  const csrfToken = /data-client="([^"]+)"/.exec(before.html)?.[1] ?? ''
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (let number = 0; number < 20; number += 1) {
    const { id } = await givenAuthor(number)
    const headers = {
      Cookie: cookie,
      Origin: origin,
      'Sec-Fetch-Site': 'same-origin',
      'X-CSRF-Token': csrfToken,
    }
    const followed = await call(`/api/v1/accounts/${id}/follow`, { method: 'POST', headers })
    expect(followed.status).toBe(200)
  }
  const { html } = await visitor.open('/home')
  const addresses = loadedBy(html)
  const pictures = addresses.filter((address) => address.includes('/avatars/'))
  expect(pictures).toHaveLength(20)
  const sizes = await Promise.all(
    addresses.map(async (address) => [address, await bytesOf(address)] as const),
  )
  const sum = (some: readonly (readonly [string, number])[]) =>
    some.reduce((all, [, bytes]) => all + bytes, 0)
  const faces = sum(sizes.filter(([address]) => pictures.includes(address)))
  const whole = gzipSync(html).byteLength + sum(sizes)
  console.info(`First load of home: ${whole} bytes, of it ${faces} for 20 avatars`)
  expect(whole).toBeLessThanOrEqual(most)
})
