import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { press, useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { mediaFile } from '../support/pictures'

withChromium('the look of an account', () => {
  const place = useBrowser()

  /** A member on a page, with a device that is dark and asks for contrast; scripts are off unless asked for. */
  async function openMember(path: string, { width = 800, javaScriptEnabled = false } = {}) {
    const device = { colorScheme: 'dark', contrast: 'more' } as const
    const viewport = { width, height: 800 }
    return openAsMember(place.browser, path, {
      ...device,
      viewport,
      javaScriptEnabled,
    })
  }

  const seenOn = (page: Page) =>
    page.evaluate<Record<string, string>>(`(() => {
      const { colorScheme, fontSize, backgroundColor } = getComputedStyle(document.documentElement)
      const { color } = getComputedStyle(document.body)
      return { colorScheme, fontSize, backgroundColor, color }
    })()`)

  async function choose(page: Page, choices: Readonly<Record<string, string>>) {
    await page.goto(`${origin}/menu`)
    await page.getByRole('link', { name: 'Appearance and language' }).click()
    for (const [label, choice] of Object.entries(choices)) await page.getByLabel(label).selectOption(choice)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Appearance and language are saved.').waitFor()
  }

  it('follows the device until the member chooses, and then shows the choice in the client and in settings', async () => {
    const { page, complaints, close } = await openMember('/home')
    const shown = async () => {
      await page.goto(`${origin}/home`)
      const client = await seenOn(page)
      await page.goto(`${origin}/settings/preferences/appearance`)
      expect(await seenOn(page)).toEqual(client)
      return client
    }
    expect(await shown()).toMatchObject({ fontSize: '16px', color: 'rgb(255, 255, 255)' })
    await choose(page, { Theme: 'Light', Contrast: 'Normal', 'Text size': '125%' })
    expect(await shown()).toEqual({
      colorScheme: 'light',
      fontSize: '20px',
      backgroundColor: 'rgb(244, 238, 229)',
      color: 'rgb(42, 35, 30)',
    })
    await choose(page, { Contrast: 'High', 'Text size': '90%' })
    expect(await shown()).toEqual({
      colorScheme: 'light',
      fontSize: '14.4px',
      backgroundColor: 'rgb(255, 255, 255)',
      color: 'rgb(20, 16, 13)',
    })
    expect(complaints).toEqual([])
    await close()
  })

  it('shows the colours of a chip of the menu at once on every page, and high contrast stays high', async () => {
    const { page, complaints, close } = await openMember('/menu', { width: 390 })
    await choose(page, { Theme: 'Light', Contrast: 'Normal' })
    await page.goto(`${origin}/menu`)
    await press(page, 'Forest')
    await page.locator('.chip[aria-pressed=true]', { hasText: 'Forest' }).waitFor()
    expect(await seenOn(page)).toMatchObject({ backgroundColor: 'rgb(235, 241, 232)' })
    await press(page, 'Dark')
    await page.locator('.chip[aria-pressed=true]', { hasText: 'Dark' }).waitFor()
    for (const path of ['/home', '/settings/preferences/appearance', '/about']) {
      await page.goto(origin + path)
      expect(await seenOn(page), path).toMatchObject({ backgroundColor: 'rgb(16, 24, 18)' })
    }
    await choose(page, { Contrast: 'High' })
    expect(await seenOn(page)).toMatchObject({ backgroundColor: 'rgb(0, 0, 0)', color: 'rgb(255, 255, 255)' })
    expect(complaints).toEqual([])
    await close()
  })

  it('fits a narrow phone at the largest text', async () => {
    const { page, close } = await openMember('/home', { width: 320 })
    await choose(page, { 'Text size': '150%' })
    const wide: string[] = []
    for (const path of [
      '/home',
      '/menu',
      '/publish',
      '/notifications',
      '/explore',
      '/bookmarks',
      '/settings/preferences/appearance',
    ]) {
      await page.goto(origin + path)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 320) wide.push(`${path}: ${width}`)
    }
    expect(wide).toEqual([])
    await close()
  })

  it.each([true, false])(
    'loads pictures of posts once they are pressed, where the member hides all (scripts: %s)',
    async (javaScriptEnabled) => {
      const author = await newPerson()
      const client = mastoOf(author)
      const media = await client.v2.media.create({
        file: await mediaFile('gray.png', 'image/png'),
        description: 'A wren',
      })
      const post = await client.v1.statuses.create({ status: 'Look', mediaIds: [media.id] })
      const { page, complaints, close } = await openMember('/settings/preferences', { javaScriptEnabled })
      await page.getByLabel('Pictures and videos', { exact: true }).selectOption('hide_all')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Your preferences are saved.').waitFor()
      const requested: string[] = []
      page.on('request', (request) => requested.push(request.url()))
      await page.goto(`${origin}/@${author.username}/${post.id}`, { waitUntil: 'networkidle' })
      const urls = [media.previewUrl, media.url]
      expect(requested.filter((url) => urls.includes(url))).toEqual([])
      await page.getByText('Pictures and videos').click()
      if (!javaScriptEnabled) await page.getByRole('link', { name: 'A wren' }).click()
      await page.getByRole('img', { name: 'A wren' }).waitFor()
      await expect.poll(() => requested.some((url) => urls.includes(url)), hangLimit).toBe(true)
      expect(complaints).toEqual([])
      await close()
    },
  )
})
