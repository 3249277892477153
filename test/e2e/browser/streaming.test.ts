import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newPlainWindows, useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { newPerson, origin, type Person } from '../support/people'

/** Each opens one line of the browser's own and notes the ids of what it hears in `window.heard`. */
const lines = {
  EventSource: `
    const source = new EventSource(origin + '/api/v1/streaming/user?access_token=' + token)
    source.addEventListener('update', ({ data }) => window.heard.push(JSON.parse(data).id))
    source.addEventListener('delete', ({ data }) => window.heard.push('-' + data))
    return new Promise((resolve, reject) => { source.onopen = () => resolve(); source.onerror = reject })`,
  WebSocket: `
    const socket = new WebSocket(origin.replace('http', 'ws') + '/api/v1/streaming?stream=user', token)
    socket.onmessage = ({ data }) => {
      const { event, payload } = JSON.parse(data)
      window.heard.push(event === 'delete' ? '-' + payload : JSON.parse(payload).id)
    }
    return new Promise((resolve, reject) => { socket.onopen = () => resolve(); socket.onerror = reject })`,
}

withChromium('live streams in a browser, on another site', () => {
  const place = useBrowser()

  async function listen(page: Page, { token }: Person, kind: keyof typeof lines): Promise<void> {
    const known = `window.heard = []; const [origin, token] = ${JSON.stringify([origin, token])};`
    await page.evaluate(`(async () => { ${known} ${lines[kind]} })()`)
  }

  it.each(['EventSource', 'WebSocket'] as const)('events arrive by %s', async (kind) => {
    const alice = await newPerson('alice')
    const { context, complaints } = await newPlainWindows(place.browser)
    const page = await context.newPage()
    await page.goto(place.site.origin)
    await listen(page, alice, kind)
    const { statuses } = mastoOf(alice).v1
    const [first, second] = [
      await statuses.create({ status: 'One' }),
      await statuses.create({ status: 'Two' }),
    ]
    await statuses.$select(first.id).remove()
    await page.waitForFunction('window.heard.length === 3')
    expect(await page.evaluate('window.heard')).toEqual([first.id, second.id, `-${first.id}`])
    expect(complaints).toEqual([])
    await context.close()
  })
})
