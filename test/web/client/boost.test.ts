import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { as, postedId } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { signedIn } from '../../support/members'

async function boostOf(member: TestAccount): Promise<Status> {
  const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
  return Status.array().parse(body)[0] ?? expect.fail('nothing was boosted')
}

describe('the page that boosts to a chosen audience', () => {
  it.each(['public', 'unlisted', 'private'] as const)(
    'boosts with the visibility %s, and leads back',
    async (visibility) => {
      const { member, browser } = await signedIn()
      const author = await given.account()
      await relation.follow(member, author)
      const id = await postedId(author)
      const [, path = ''] =
        /href="(\/posts\/\d+\/boost\?[^"]+)"/.exec((await browser.get('/home')).html) ?? []
      const sent = await browser.fill(
        path.replaceAll('&amp;', '&'),
        { visibility },
        { action: path.replaceAll('&amp;', '&') },
      )
      expect([sent.status, sent.location]).toEqual([303, `/home#p-${id}`])
      expect(await boostOf(member)).toMatchObject({ visibility, reblog: { id } })
      const again = await browser.get(`/posts/${id}/boost`)
      expect(again.html).toContain('You have already boosted this post.')
      expect(again.html).not.toContain('name="visibility"')
    },
  )

  it('reaches the fewest where nothing was chosen', async () => {
    const { member, browser } = await signedIn()
    const id = await postedId(await given.account())
    await browser.fill(`/posts/${id}/boost`, { visibility: 'direct' })
    expect((await boostOf(member)).visibility).toBe('private')
  })

  it('offers followers alone for an own post for followers', async () => {
    const { member, browser } = await signedIn()
    const id = await postedId(member, { visibility: 'private' })
    const { html } = await browser.get(`/posts/${id}/boost`)
    expect([...html.matchAll(/name="visibility" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'private',
    ])
  })

  it('the page that boosts to a chosen audience is not found for posts that cannot be boosted or seen', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    await relation.follow(member, author)
    const direct = await postedId(member, { visibility: 'direct' })
    const forFollowers = await postedId(author, { visibility: 'private' })
    const hidden = await postedId(await given.account(), { visibility: 'private' })
    for (const id of [direct, forFollowers, hidden])
      expect((await browser.get(`/posts/${id}/boost`)).status).toBe(404)
  })

  it('says that the post is gone where it was deleted meanwhile', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const id = await postedId(author)
    const { html } = await browser.get(`/posts/${id}/boost`)
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(html) ?? []
    await as(author).delete(`/api/v1/statuses/${id}`)
    const sent = await browser.post(`/posts/${id}/boost`, { visibility: 'public', csrf_token: token })
    expect([sent.status, sent.html.includes('This post is gone')]).toEqual([404, true])
  })
})
