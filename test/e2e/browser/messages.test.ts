import { expect, it } from 'vitest'
import { useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { openAsMember } from '../support/member-page'
import { newPerson, origin } from '../support/people'
import { eventually } from '../support/receiver'

withChromium('messages in the web client with scripts', () => {
  const place = useBrowser()

  it('a conversation is read once it is opened, and grows while it is open', async () => {
    const author = await newPerson('wren')
    const client = mastoOf(author)
    const { member, page, context, complaints } = await openAsMember(place.browser, '/home')
    const first = await client.v1.statuses.create({
      status: `@${member.username} Did the frost get the sloes?`,
      visibility: 'direct',
    })
    await page.goto(`${origin}/conversations`)
    await page.getByRole('link', { name: 'Did the frost get the sloes?' }).click()
    await page.getByText('Only you and').waitFor()
    await page.locator('[data-mark-read]').waitFor({ state: 'detached' })
    expect(await page.locator('.nav a[href="/conversations"] .count').count()).toBe(0)
    await page.getByRole('textbox').fill('Not the bottom.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.mine', { hasText: 'Not the bottom.' }).waitFor()
    const direct = await client.v1.conversations.list()
    expect(direct[0]?.lastStatus?.inReplyToId).toBe(first.id)
    await client.v1.statuses.create({
      status: `@${member.username} Sunday then.`,
      visibility: 'direct',
      inReplyToId: direct[0]?.lastStatus?.id ?? '',
    })
    await page.locator('.bubble', { hasText: 'Sunday then.' }).waitFor()
    await eventually(async () => {
      const unread = await page.evaluate(
        "fetch('/api/v1/conversations').then((answer) => answer.json()).then(([one]) => one.unread)",
      )
      expect(unread).toBe(false)
    })
    expect(complaints).toEqual([])
    await context.close()
  })
})
