import { expect, it } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'

withChromium('new replies with scripts', () => {
  const place = useBrowser()

  it('a reply that came since the last visit says so, and no longer at the next', async () => {
    const author = await newPerson()
    const client = mastoOf(author)
    const post = await client.v1.statuses.create({ status: 'Who has seen a wren?' })
    const reply = (status: string) => client.v1.statuses.create({ status, inReplyToId: post.id })
    const { page, complaints, close } = await openAsMember(place.browser, '/home')
    const visit = async () => {
      await page.goto(`${origin}/@${author.username}/${post.id}`, { waitUntil: 'networkidle' })
      return page.locator('article:has(.fresh) .text').allInnerTexts()
    }
    expect(await visit()).toEqual([])
    await reply('There is one!')
    await expect.poll(visit, hangLimit).toEqual(['There is one!'])
    expect(await visit()).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })
})
