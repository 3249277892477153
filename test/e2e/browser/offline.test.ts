import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { openAsMember } from '../support/member-page'
import { origin } from '../support/people'

withChromium('the site without a connection', () => {
  const place = useBrowser()

  async function openReady() {
    const opened = await openAsMember(place.browser, '/publish', { serviceWorkers: 'allow' })
    await opened.page.getByText('Characters left:').waitFor()
    await opened.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return opened
  }

  const ownPosts = async (username: string): Promise<unknown> => {
    const found = await fetch(`${origin}/api/v1/accounts/lookup?acct=${username}`)
    const { id } = Object.assign({ id: '' }, await found.json())
    return (await fetch(`${origin}/api/v1/accounts/${id}/statuses`)).json()
  }
  const draftKeys = (page: Page) =>
    page.evaluate<string[]>(`Object.keys(localStorage).filter((key) => key.startsWith('draft '))`)

  it('a draft of the device is listed on the offline page, and sent once by a press when the network is back', async () => {
    const { page, context, member, close } = await openReady()
    await context.setOffline(true)
    await page.getByLabel('What would you like to say?').fill('A wren without a network')
    const [key = ''] = await draftKeys(page)
    const draft = await page.evaluate<string>(`localStorage.getItem(${JSON.stringify(key)})`)
    await page.evaluate(`localStorage.setItem('draft somebodyelse new', ${JSON.stringify(draft)})`)
    await page.goto(`${origin}/home`)
    await page.getByRole('heading', { name: 'No connection' }).first().waitFor()
    await page.getByText('A wren without a network').waitFor()
    // Drafts of other accounts stay out of sight.
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('connection', { exact: false }).waitFor()
    expect(await ownPosts(member.username)).toEqual([])

    await context.setOffline(false)
    expect(await ownPosts(member.username)).toEqual([])
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Post sent').waitFor()
    expect(await ownPosts(member.username)).toHaveLength(1)
    expect(await draftKeys(page)).toEqual(['draft somebodyelse new'])

    // Sent again, as after an answer that got lost, it stays one post.
    await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(draft)})`)
    await page.goto(`${origin}/offline`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Post sent').waitFor()
    expect(await ownPosts(member.username)).toHaveLength(1)
    await close()
  })

  it('the service worker keeps the offline page and its files, and no page of the member, who signs out with it', async () => {
    const { page, context, close } = await openReady()
    for (const path of ['/home', '/notifications', '/menu']) await page.goto(origin + path)
    const kept = await page.evaluate<string[]>(`
      caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
        .then((all) => Promise.all(all.map((cache) => cache.keys())))
        .then((found) => found.flat().map(({ url }) => new URL(url).pathname))`)
    expect(kept).toContain('/offline')
    expect(kept.filter((path) => path !== '/offline' && !path.startsWith('/assets/'))).toEqual([])
    const text = await page.evaluate<string>(`caches.match('/offline').then((page) => page.text())`)
    expect(text).not.toContain('csrf_token')
    expect(text).not.toContain('data-account')
    await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(`${origin}/`)
    const left = `navigator.serviceWorker.getRegistrations()
      .then(async (found) => [found.length, (await caches.keys()).length, Object.keys(localStorage).length])`
    expect(await page.evaluate(left)).toEqual([0, 0, 0])
    await context.setOffline(true)
    await expect(page.goto(`${origin}/home`)).rejects.toThrow()
    await close()
  })
})
