import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { reactionLimits } from '../../../src/contract/limits'
import { customEmojis } from '../../../src/db/schema'
import { as, postedId } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

async function reactionsTo(member: TestAccount, id: string) {
  const { reactions = [] } = Status.parse((await as(member).get(`/api/v1/statuses/${id}`)).body)
  return reactions.map(({ name, me }) => [name, me])
}

describe('the page of emojis to react with', () => {
  it('adds a usual, a typed and a custom emoji, and leads back to the post', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    await relation.follow(member, author)
    const id = await postedId(author)
    const { db, ids } = context()
    const shortcode = freshName('wren')
    await db
      .insert(customEmojis)
      .values({ id: ids.next(), shortcode, image: { key: 'emojis/w.png' }, createdAt: clock.now() })
    const home = await browser.get('/home')
    const [, link = ''] = /href="(\/posts\/\d+\/react\?[^"]+)"/.exec(home.html) ?? []
    const path = link.replaceAll('&amp;', '&')
    for (const fields of [{ emoji: '🦉' }, { typed: ' 🐧 ' }, { typed: `:${shortcode}:` }]) {
      const sent = await browser.fill(path, fields, { action: path })
      expect([sent.status, sent.location]).toEqual([303, `/home#p-${id}`])
    }
    expect(await reactionsTo(member, id)).toEqual([
      ['🦉', true],
      ['🐧', true],
      [shortcode, true],
    ])
    const { html } = await browser.get(`/posts/${id}/react`)
    expect(html).toMatch(/name="remove" value="🦉" aria-pressed="true"/)
    expect((await browser.get('/home')).html).toContain('aria-label="React with another emoji"')
  })

  it('says why an emoji was refused, and keeps what was typed', async () => {
    const { member, browser } = await signedIn()
    const id = await postedId(await given.account())
    const sent = await browser.fill(`/posts/${id}/react`, { typed: 'no emoji' })
    expect(sent.status).toBe(422)
    expect(sent.html).toContain('This is not an emoji that you can use here.')
    expect(sent.html).toContain('value="no emoji"')
    for (let n = 0; n < reactionLimits.perAccount; n += 1)
      await as(member).post(
        `/api/v1/statuses/${id}/react/${encodeURIComponent(String.fromCodePoint(0x1f600 + n))}`,
      )
    const ninth = await browser.fill(`/posts/${id}/react`, { emoji: '🦉' })
    expect(ninth.html).toContain('You can react to a post with up to 8 emojis.')
  })

  it('the page of emojis to react with is not found for a post that the member may not see', async () => {
    const { browser } = await signedIn()
    const hidden = await postedId(await given.account(), { visibility: 'private' })
    expect((await browser.get(`/posts/${hidden}/react`)).status).toBe(404)
  })
})
