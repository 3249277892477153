import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'

withChromium('the media viewer with scripts', () => {
  const place = useBrowser()

  it('pictures open over the page, move by arrow keys, zoom by a press, and close by Escape and Back', async () => {
    const author = await newPerson('wren')
    const client = mastoOf(author)
    const file = () => new Blob([readFileSync('test/data/media/alpha.webp')], { type: 'image/webp' })
    const mediaIds: string[] = []
    for (const description of ['A wren on a fence', 'A robin on a spade'])
      mediaIds.push((await client.v2.media.create({ file: file(), description })).id)
    const post = await client.v1.statuses.create({ status: 'Two birds', mediaIds })
    const { page, context, complaints } = await openAsMember(place.browser, '/home')
    const path = `${origin}/@${author.username}/${post.id}`
    await page.goto(path)
    await page.getByAltText('A wren on a fence').click()
    const dialog = page.locator('dialog')
    await dialog.getByText('1 of 2', { exact: true }).waitFor()
    expect(page.url()).toBe(`${path}/photo/1`)
    await dialog.getByRole('img', { name: 'A wren on a fence' }).click()
    expect(await dialog.getAttribute('class')).toBe('viewer zoomed')
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('2 of 2', { exact: true }).waitFor()
    expect(page.url()).toBe(`${path}/photo/2`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).toBe(path)
    await page.getByAltText('A robin on a spade').click()
    await dialog.getByText('2 of 2', { exact: true }).waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).toBe(path)
    expect(complaints).toEqual([])
    await context.close()
  })
})
