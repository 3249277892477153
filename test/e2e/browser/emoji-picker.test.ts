import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { openAsMember } from '../support/member-page'

withChromium('the picker of emojis', () => {
  const place = useBrowser()

  it('scripts put an emoji where one types, and find any by its name', async () => {
    const { page, complaints, close } = await openAsMember(place.browser, '/publish')
    await page.getByText('Characters left:').waitFor()
    const field = page.getByLabel('What would you like to say?')
    await field.fill('A bird')
    await field.press('Home')
    for (const key of ['ArrowRight', 'ArrowRight']) await field.press(key)
    await page.getByRole('button', { name: 'Emojis' }).click()
    await page.getByRole('button', { name: '🦉' }).click()
    expect(await field.inputValue()).toBe('A 🦉bird')
    const search = page.getByLabel('Search emojis')
    await search.fill('swan')
    await page.getByRole('button', { name: '🦢' }).waitFor()
    expect(await page.getByRole('button', { name: '🦉' }).count()).toBe(0)
    await search.press('Enter')
    expect(await field.inputValue()).toBe('A 🦉🦢bird')
    expect(new URL(page.url()).pathname).toBe('/publish')
    await page.getByRole('button', { name: 'Emojis' }).click()
    await search.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('A 🦉🦢bird')
    expect(complaints).toEqual([])
    await close()
  })
})
