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
