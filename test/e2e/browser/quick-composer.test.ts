import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { mediaPath } from '../support/pictures'

withChromium('the composer in place', () => {
  const place = useBrowser()
  const field = 'What would you like to say?'

  async function openHome() {
    const opened = await openAsMember(place.browser, '/home')
    await ready(opened.page)
    return opened
  }

  /** Waits for the script, which adds a field for files. */
  const ready = (page: Page) => page.locator('[data-quick] [type=file]').waitFor({ state: 'attached' })

  it('a post of home appears above the others without leaving the page, and undo opens its text again', async () => {
    const { page, complaints, close } = await openHome()
    for (const text of ['The first wren', 'The second wren']) {
      await page.getByLabel(field).fill(text)
      await page.getByLabel(field).press('Control+Enter')
      await page.getByRole('article').getByText(text).waitFor()
      await ready(page)
      expect(await page.getByLabel(field).inputValue()).toBe('')
    }
    expect(page.url()).toBe(`${origin}/home`)
    expect(await page.getByRole('article').count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(`${origin}/publish`)
    expect(await page.getByLabel(field).inputValue()).toBe('The second wren')
    expect(complaints).toEqual([])
    await close()
  })

  it('the first post of an empty home can be undone where it was written', async () => {
    const { page, complaints, close } = await openHome()
    await page.getByText('Nothing here yet').waitFor()
    await page.getByLabel(field).fill('The very first wren')
    await page.getByLabel(field).press('Control+Enter')
    await page.getByRole('feed').getByText('The very first wren').waitFor()
    expect(page.url()).toBe(`${origin}/home`)
    expect(await page.getByText('Nothing here yet').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(`${origin}/publish`)
    expect(await page.getByLabel(field).inputValue()).toBe('The very first wren')
    expect(complaints).toEqual([])
    await close()
  })

  it('a reply whose session ended, short or long, is there again after signing in', async () => {
    const { page, context, member, close } = await openHome()
    const author = await newPerson('thrush')
    const { id } = await mastoOf(author).v1.statuses.create({ status: 'Hello' })
    const thread = `/@${author.username}/${id}`
    const long = Array.from({ length: 4_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * 7_919) % 4_999)),
    )
    for (const text of ['Short', long.join('')]) {
      await page.goto(origin + thread)
      await ready(page)
      await page.locator('[data-quick] textarea').fill(text)
      await context.clearCookies({ name: /session/ })
      await page.locator('[data-quick] button[value=post]').click()
      await page.waitForURL(/sign_in/)
      await page.getByLabel('E-mail address or username').fill(member.username)
      await page.getByLabel('Password', { exact: true }).fill(member.password)
      await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
      // A short text comes back in the whole composer, a long one where it was typed.
      await page.waitForURL(origin + (text === 'Short' ? '/publish' : thread))
      await expect.poll(() => page.locator('textarea[name=status]').inputValue(), hangLimit).toBe(text)
      expect(await page.locator('input[name=reply_to]').inputValue()).toBe(id)
    }
    await close()
  })

  it('a picture chosen at home opens the whole composer with the text and the picture', async () => {
    const { page, complaints, close } = await openHome()
    await page.getByLabel(field).fill('A wren')
    const opened = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Pictures, video or sound' }).click()
    await (await opened).setFiles(mediaPath('gray.png'))
    await page.getByLabel('Description of attachment 1').fill('A wren on a fence')
    expect(await page.getByLabel(field).inputValue()).toBe('A wren')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('img', { name: 'A wren on a fence' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('a refused post of home keeps its text, and says why', async () => {
    const { page, close } = await openHome()
    await page.getByLabel(field).fill('x'.repeat(5_100))
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('status').getByText('500').waitFor()
    expect(await page.getByLabel(field).inputValue()).toHaveLength(5_100)
    await close()
  })
})
