import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { useBrowser, withChromium } from '../support/browser'
import { openAsMember } from '../support/member-page'
import { origin } from '../support/people'
import { mediaPath } from '../support/pictures'

withChromium('a thread written in one go', () => {
  const place = useBrowser()
  const first = (page: Page) => page.getByLabel('What would you like to say?')
  const text = (page: Page, number: number) => page.getByLabel(`Text of post ${number}`)
  const add = (page: Page) => page.getByRole('button', { name: 'Add another post' })

  async function openComposer() {
    const opened = await openAsMember(place.browser, '/publish')
    await opened.page.getByText('Characters left:').waitFor()
    return opened
  }

  /** Words of the posts of a member, the oldest first, each with the number of the post that it answers. */
  async function chainOf(username: string) {
    const found = await fetch(`${origin}/api/v1/accounts/lookup?acct=${username}`)
    const { id } = Object.assign({ id: '' }, await found.json())
    const answer = await fetch(`${origin}/api/v1/accounts/${id}/statuses`)
    const posts: { id: string; content: string; in_reply_to_id: string | null }[] = await answer.json()
    const oldestFirst = posts.toReversed()
    return oldestFirst.map(({ content, in_reply_to_id }) => [
      content.replaceAll(/<[^>]*>/g, ''),
      oldestFirst.findIndex((one) => one.id === in_reply_to_id) + 1,
    ])
  }

  const four = [
    ['One', 0],
    ['Two', 1],
    ['Three', 2],
    ['Four', 3],
  ]

  async function typeFour(page: Page): Promise<void> {
    await first(page).fill('One')
    for (const [number, words] of [
      [2, 'Two'],
      [3, 'Three'],
      [4, 'Four'],
    ] as const) {
      await add(page).click()
      await text(page, number).fill(words)
    }
  }

  it('scripts publish all posts of a thread by one press, with a picture in one of them', async () => {
    const { page, member, complaints, close } = await openComposer()
    await typeFour(page)
    await page.getByLabel('Pictures, video or sound').nth(2).setInputFiles(mediaPath('gray.png'))
    await page.getByLabel('Description of attachment 1').fill('A wren on a fence')
    expect(await text(page, 4).inputValue()).toBe('Four')
    await page.getByRole('button', { name: 'Post all 4' }).click()
    await page.waitForURL(/\/@/)
    await page.getByRole('img', { name: 'A wren on a fence' }).waitFor()
    expect(await chainOf(member.username)).toEqual(four)
    await page.goto(`${origin}/publish`)
    expect(await first(page).inputValue()).toBe('')
    expect(complaints).toEqual([])
    await close()
  })

  it('a thread is published once where the connection is lost in the middle of it', async () => {
    const { page, member, close } = await openComposer()
    await typeFour(page)
    let answered = 0
    await page.route('**/publish', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const answer = await route.fetch({ maxRedirects: 0 })
      answered += 1
      // The server has it, the browser never learns of it.
      return answered === 1 ? route.abort() : route.fulfill({ response: answer })
    })
    await page.getByRole('button', { name: 'Post all 4' }).click()
    await page.getByText('No connection. Please try again.').waitFor()
    expect(await first(page).inputValue()).toBe('One')
    expect(await text(page, 4).inputValue()).toBe('Four')
    await page.getByRole('button', { name: 'Post all 4' }).click()
    await page.waitForURL(/\/@/)
    expect(await chainOf(member.username)).toEqual(four)
    await close()
  })

  /** Ten posts that are too long for a cookie, and too unlike each other to be packed. */
  const longTexts = Array.from({ length: 10 }, (_, post) =>
    Array.from({ length: 400 }, (_, at) =>
      String.fromCodePoint(0x4e00 + (((at + 7) * (post + 11) * 7_919) % 4_999)),
    ).join(''),
  )

  async function typeLong(page: Page): Promise<void> {
    for (const [index, words] of longTexts.entries()) {
      if (index > 0) await add(page).click()
      await (index === 0 ? first(page) : text(page, index + 1)).fill(words)
    }
  }

  const longChain = longTexts.map((words, index) => [words, index])

  it('scripts keep a long thread on the device while the member signs in again', async () => {
    const { page, context, member, close } = await openComposer()
    await typeLong(page)
    await context.clearCookies({ name: /session/ })
    await page.getByRole('button', { name: 'Post all 10' }).click()
    await page.waitForURL(/sign_in/)
    await page.getByLabel('E-mail address or username').fill(member.username)
    await page.getByLabel('Password', { exact: true }).fill(member.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Your text has been restored.').waitFor()
    expect(await text(page, 10).inputValue()).toBe(longTexts[9])
    await page.getByRole('button', { name: 'Post all 10' }).click()
    await page.waitForURL(/\/@/)
    expect(await chainOf(member.username)).toEqual(longChain)
    await page.goto(`${origin}/publish`)
    expect(await first(page).inputValue()).toBe('')
    await close()
  })

  it('a long thread stays on the page without scripts while the member signs in in another tab', async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 900, height: 700 } }
    const { page, context, member, complaints, close } = await openAsMember(
      place.browser,
      '/publish',
      options,
    )
    for (let count = 1; count < longTexts.length; count += 1) await add(page).click()
    for (const [index, words] of longTexts.entries())
      await (index === 0 ? first(page) : text(page, index + 1)).fill(words)
    await context.clearCookies({ name: /session/ })
    await page.getByRole('button', { name: 'Post all 10' }).click()
    await page.getByText('You were signed out before this was sent.').waitFor()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Sign in in a new tab' }).click()
    const tab = await opened
    await tab.getByLabel('E-mail address or username').fill(member.username)
    await tab.getByLabel('Password', { exact: true }).fill(member.password)
    await tab.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.waitForURL(`${origin}/publish`)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect
      .poll(async () => {
        const more = page.getByRole('button', { name: /^Post all|^Post$/ })
        if (await more.isVisible()) await more.click()
        return chainOf(member.username)
      }, hangLimit)
      .toEqual(longChain)
    expect(complaints).toEqual([])
    await close()
  })

  it('the device keeps the whole thread while it is typed, and the page opens with it', async () => {
    const { page, close } = await openComposer()
    await first(page).fill('One')
    await add(page).click()
    await text(page, 2).pressSequentially('Two')
    await page.reload()
    await expect.poll(() => text(page, 2).inputValue(), hangLimit).toBe('Two')
    expect(await first(page).inputValue()).toBe('One')
    await page.getByRole('button', { name: 'Remove post 2' }).click()
    await text(page, 2).waitFor({ state: 'detached' })
    expect(await first(page).inputValue()).toBe('One')
    await close()
  })

  it('a thread is written and published without scripts', async () => {
    const { page, member, close } = await openAsMember(place.browser, '/publish', {
      javaScriptEnabled: false,
    })
    await typeFour(page)
    const post = page.locator('.head button[value=post]')
    await expect
      .poll(async () => {
        if (new URL(page.url()).pathname === '/publish') await post.click()
        return new URL(page.url()).pathname
      }, hangLimit)
      .toMatch(/^\/@/)
    expect(await chainOf(member.username)).toEqual(four)
    await close()
  })
})
