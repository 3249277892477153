import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { newPlainWindows, useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { newPerson, origin } from '../support/people'
import { mediaFile } from '../support/pictures'

/** Runs the body of an async function on the client's page, with the instance and a token at hand. */
function onPage(page: Page, token: string, body: string): Promise<unknown> {
  const start = `const [origin, authorization] = ${JSON.stringify([origin, `Bearer ${token}`])};`
  return page.evaluate<unknown>(`(async () => { ${start} ${body} })()`)
}

withChromium('a web client on another site', () => {
  const place = useBrowser()

  async function openClient() {
    const person = await newPerson()
    const { context, complaints } = await newPlainWindows(place.browser)
    const page = await context.newPage()
    await page.goto(place.site.origin)
    return { person, page, complaints, close: () => context.close() }
  }

  it('the browser allows posts, uploads, pages and deletions of a web client', async () => {
    const { person, page, complaints, close } = await openClient()
    const done = await onPage(
      page,
      person.token,
      `
      const api = (path, init = {}) =>
        fetch(origin + path, { ...init, headers: { authorization, ...init.headers } })
      const post = (status) => api('/api/v1/statuses', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': status },
        body: JSON.stringify({ status }),
      }).then((answer) => answer.json())
      const posted = []
      for (const text of ['one', 'two', 'three']) posted.push(await post(text))
      const again = await post('three')
      const form = new FormData()
      form.set('file', new Blob([Uint8Array.from(${JSON.stringify([...(await bytesOf('gray.png'))])})]), 'gray.png')
      const upload = await api('/api/v2/media', { method: 'POST', body: form })
      const list = await api('/api/v1/accounts/' + ${JSON.stringify(person.id)} + '/statuses?limit=2')
      const gone = await api('/api/v1/statuses/' + posted[0].id, { method: 'DELETE' })
      const profile = new FormData()
      profile.set('display_name', 'From afar')
      const edited = await api('/api/v1/accounts/update_credentials', { method: 'PATCH', body: profile })
      const refused = await api('/api/v1/statuses/' + posted[0].id)
      return {
        isSame: again.id === posted[2].id, upload: upload.status, gone: gone.status,
        link: list.headers.get('link'), name: (await edited.json()).display_name,
        refused: [refused.status, (await refused.json()).error],
      }`,
    )
    expect(done).toEqual({
      isSame: true,
      upload: 200,
      gone: 200,
      name: 'From afar',
      link: expect.stringContaining('rel="next"'),
      refused: [404, 'Record not found'],
    })
    expect(complaints).toEqual([])
    await close()
  })

  it('reads the colours of pictures, stored and default ones', async () => {
    const { person, page, complaints, close } = await openClient()
    const client = mastoOf(person)
    const media = await client.v2.media.create({
      file: await mediaFile('rgb.png', 'image/png'),
      skipPolling: true,
    })
    const { avatar } = await client.v1.accounts.verifyCredentials()
    for (const url of [media.url, media.previewUrl, avatar]) {
      const colour = await onPage(
        page,
        person.token,
        `
        const picture = new Image()
        picture.crossOrigin = 'anonymous'
        picture.src = ${JSON.stringify(url)}
        await picture.decode()
        const canvas = document.createElement('canvas').getContext('2d')
        canvas.drawImage(picture, 0, 0)
        return [...canvas.getImageData(0, 0, 1, 1).data].length`,
      )
      expect([url, colour]).toEqual([url, 4])
    }
    expect(complaints).toEqual([])
    await close()
  })

  it('browsers show no page of Fieldfare in a frame', async () => {
    const { person, page, complaints, close } = await openClient()
    const address = await onPage(
      page,
      person.token,
      `
      const frame = document.createElement('iframe')
      const loaded = new Promise((resolve) => { frame.onload = resolve })
      frame.src = origin + '/auth/sign_in'
      document.body.append(frame)
      await loaded
      return frame.contentDocument?.location.href ?? 'out of reach'`,
    )
    expect(address).toBe('out of reach')
    await expect.poll(() => page.frames()[1]?.url(), hangLimit).toBe('chrome-error://chromewebdata/')
    await expect.poll(() => complaints.join(' '), hangLimit).toContain('frame-ancestors')
    await close()
  })
})

async function bytesOf(name: string): Promise<Uint8Array> {
  const file = await mediaFile(name, 'image/png')
  return new Uint8Array(await file.arrayBuffer())
}
