import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'

withChromium('links of a post with scripts', () => {
  const place = useBrowser()

  it('the link of a post is copied from its menu, and the page stays', async () => {
    const author = await newPerson()
    const post = await mastoOf(author).v1.statuses.create({ status: 'Who has seen a wren?' })
    const path = `/@${author.username}/${post.id}`
    const { page, context, complaints, close } = await openAsMember(place.browser, '/home')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(origin + path)
    await page.getByLabel('More about this conversation').click()
    await page.getByRole('link', { name: 'Link to this post' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(origin + path)
    expect(new URL(page.url()).pathname).toBe(path)
    expect(complaints).toEqual([])
    await close()
  })
})
