import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { overflow, useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { eventually } from '../support/receiver'

const windows = {
  phone: { viewport: { width: 390, height: 844 } },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const

/** Requests of a page for posts above its newest one. */
const newerPosts = /\/home\/local\?min_id=/

/**
 * Keeps posts of other tests, which write to the same server, from a page: those that do not contain one of the texts. Returns
 * the messages that the page sends, the first of which subscribes to its second stream once it is connected.
 */
async function hearOnly(page: Page, texts: readonly string[]): Promise<readonly unknown[]> {
  const sent: unknown[] = []
  await page.route(newerPosts, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.routeWebSocket(/\/api\/v1\/streaming/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      server.send(message)
      sent.push(message)
    })
    server.onMessage((message) => {
      if (texts.some((text) => message.toString().includes(text))) socket.send(message)
    })
  })
  return sent
}

withChromium('timelines that were left for a while', () => {
  const place = useBrowser()

  /** Calls the API as the page does: with its session and its token. */
  function call(page: Page, method: string, path: string, body: object | null = null): Promise<unknown> {
    return page.evaluate(
      async ([how, where, text]) => {
        const { client } = Reflect.get(globalThis, 'document').querySelector('[data-client]').dataset
        const headers = { 'X-CSRF-Token': client, 'Content-Type': 'application/json' }
        const answer = await fetch(where, { method: how, headers, ...(text === '' ? {} : { body: text }) })
        return answer.json()
      },
      [method, path, body === null ? '' : JSON.stringify(body)] as const,
    )
  }

  /** A member who had read `read` posts of an author, who then wrote more. */
  async function absentMember(
    size: keyof typeof windows,
    counts: { readonly read: number; readonly more: number },
  ) {
    const author = await newPerson('wren')
    const client = mastoOf(author)
    const opened = await openAsMember(place.browser, '/home', windows[size])
    const { page } = opened
    await call(page, 'POST', `/api/v1/accounts/${author.id}/follow`)
    const write = async (from: number, count: number) => {
      const ids: string[] = []
      for (let number = from; number < from + count; number += 1)
        ids.push((await client.v1.statuses.create({ status: `Song ${number} of the wren` })).id)
      return ids
    }
    const read = await write(1, counts.read)
    await eventually(async () =>
      expect(await call(page, 'GET', '/api/v1/timelines/home')).toHaveLength(Math.min(20, counts.read)),
    )
    await call(page, 'POST', '/api/v1/markers', { home: { last_read_id: read.at(-1) } })
    const more = await write(counts.read + 1, counts.more)
    await eventually(async () =>
      expect(await call(page, 'GET', '/api/v1/timelines/home?limit=1')).toMatchObject([{ id: more.at(-1) }]),
    )
    return { ...opened, author, client, last: counts.read + counts.more }
  }

  it.each(['phone', 'desktop'] as const)(
    'posts in between come in place on a %s, until those that were read before',
    async (size) => {
      const { page, complaints, close, last } = await absentMember(size, { read: 3, more: 43 })
      await page.goto(`${origin}/home`)
      const button = page.getByRole('link', { name: 'Load posts in between' })
      const song = (number: number) => page.getByText(`Song ${number} of the wren`, { exact: true })
      const shown = () => page.locator('.feed > article').count()
      expect(await shown()).toBe(20)
      await button.scrollIntoViewIfNeeded()
      const lowest = page.locator('article', { has: song(last - 19) })
      const before = (await lowest.boundingBox())?.y
      await button.click()
      await song(last - 39).waitFor()
      expect((await lowest.boundingBox())?.y).toBe(before)
      expect(await page.evaluate('document.activeElement.textContent')).toContain(`Song ${last - 20} of`)
      expect([await shown(), await button.count()]).toEqual([40, 1])
      await button.click()
      await page.getByText('You had read until here').waitFor()
      expect([await shown(), await button.count()]).toEqual([46, 0])
      const order = await page.locator('.feed').innerText()
      expect([...order.matchAll(/Song (\d+) of/g)].map(([, number]) => Number(number))).toEqual(
        Array.from({ length: 46 }, (_, index) => last - index),
      )
      expect(order.indexOf('Song 4 of')).toBeLessThan(order.indexOf('You had read until here'))
      expect(order.indexOf('You had read until here')).toBeLessThan(order.indexOf('Song 3 of'))
      expect([page.url(), await overflow(page), complaints]).toEqual([`${origin}/home`, 0, []])
      await close()
    },
  )

  it('the link to posts in between leads to them without scripts', async () => {
    const { page, close, last, context } = await absentMember('phone', { read: 2, more: 22 })
    const bare = await place.browser.newContext({ javaScriptEnabled: false, ...windows.phone })
    await bare.addCookies(await context.cookies())
    const plain = await bare.newPage()
    await plain.goto(`${origin}/home`)
    await plain.getByRole('link', { name: 'Load posts in between' }).click()
    await plain.waitForURL(/\/home\?max_id=\d+$/)
    expect(await plain.getByText(`Song ${last - 20} of the wren`).count()).toBe(1)
    expect(await page.locator('main').count()).toBe(1)
    await bare.close()
    await close()
  })

  it('a page that cannot be fetched leaves the link, and says so', async () => {
    const { page, close } = await absentMember('desktop', { read: 1, more: 22 })
    await page.goto(`${origin}/home`)
    await page.route('**/home?max_id=*', (route) => route.abort())
    await page.getByRole('link', { name: 'Load posts in between' }).click()
    await page.locator('.toast').waitFor()
    expect([page.url(), await page.locator('.feed > article').count()]).toEqual([`${origin}/home`, 20])
    await page.unroute('**/home?max_id=*')
    await page.getByRole('link', { name: 'Load posts in between' }).click()
    await page.getByText('You had read until here').waitFor()
    await close()
  })

  it('home and local grows by posts of both timelines, each counted once', async () => {
    const { page, client, complaints, close } = await absentMember('desktop', { read: 1, more: 1 })
    const stranger = mastoOf(await newPerson('robin'))
    const subscribed = await hearOnly(page, ['By somebody followed', 'By a stranger here'])
    await page.goto(`${origin}/home/local`)
    await eventually(async () => expect(subscribed).toHaveLength(1))
    await page.evaluate('window.scrollTo(0, 300)')
    const pill = page.locator('.head .newer')
    await client.v1.statuses.create({ status: 'By somebody followed' })
    await pill.filter({ hasText: 'New posts (1)' }).waitFor()
    await stranger.v1.statuses.create({ status: 'By a stranger here' })
    await pill.filter({ hasText: 'New posts (2)' }).waitFor()
    expect(await page.getByText('By a stranger here').count()).toBe(0)
    await page.unroute(newerPosts)
    await pill.click()
    await page.getByText('By a stranger here').waitFor()
    expect(await page.getByText('By somebody followed').count()).toBe(1)
    expect([await pill.count(), complaints]).toEqual([0, []])
    await close()
  })
})
