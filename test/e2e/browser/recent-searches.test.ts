import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { useBrowser, withChromium } from '../support/browser'
import { openAsMember } from '../support/member-page'
import { origin } from '../support/people'

withChromium('recent searches', () => {
  const place = useBrowser()

  it('recent searches stand on the page of search before typing, and can be removed', async () => {
    const { page, complaints, close } = await openAsMember(place.browser, '/home')
    await page.goto(`${origin}/search`)
    expect(await page.getByRole('heading', { name: 'Recent' }).isVisible()).toBe(false)
    for (const text of ['wren', 'owl <b>']) {
      await page.goto(`${origin}/search?q=${encodeURIComponent(text)}`)
      await page.waitForLoadState('networkidle')
    }
    const links = page.locator('[data-recent] li a')
    await page.goto(`${origin}/search`)
    await expect.poll(() => links.allInnerTexts(), hangLimit).toEqual(['owl <b>', 'wren'])
    await page.getByRole('button', { name: 'Remove from recent searches' }).first().click()
    expect(await links.allInnerTexts()).toEqual(['wren'])
    await links.first().click()
    await page.waitForURL(`${origin}/search?q=wren`)
    await page.goto(`${origin}/search`)
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await page.getByRole('heading', { name: 'Recent' }).isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await close()
  })
})
