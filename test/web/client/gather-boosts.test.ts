import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { type FeedEntry, gatherBoosts } from '../../../src/web/posts/gather-boosts'
import { type PostView, postView } from '../../../src/web/posts/post-view'
import { as } from '../../support/as'
import { textOf } from '../../support/browser'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { signedIn } from '../../support/members'
import { context } from '../../support/test-app'

const start = Date.UTC(2026, 10, 29, 12)

/** A post of home: `minute` counts back from the newest, and its id falls with it. */
async function entries(...given_: readonly { minute: number; isBoost?: boolean; isFiltered?: boolean }[]) {
  const author = await given.account()
  const id = await storedStatus({ accountId: author.id, content: '<p>A wren</p>' })
  const { body } = await as(author).get(`/api/v1/statuses/${id}`)
  const post = postView(context().config, Status.parse(body), author.id)
  return given_.map(
    ({ minute, isBoost = true, isFiltered = false }): PostView => ({
      ...post,
      entryId: String(1_000 - minute),
      boostedBy: isBoost ? post.author : null,
      boostedAt: isBoost ? new Date(start - minute * 60_000) : null,
      filter: isFiltered ? { title: 'wrens', isBlur: false } : null,
    }),
  )
}

const shapes = (feed: readonly FeedEntry[]) =>
  feed.map((entry) => ('boosts' in entry ? entry.boosts.map(({ entryId }) => entryId) : entry.entryId))

describe('gathering boosts', () => {
  it('puts boosts of a quarter of an hour in the place of the newest, past posts between them', async () => {
    const feed = await entries(
      { minute: 0, isBoost: false },
      { minute: 1 },
      { minute: 2, isBoost: false },
      { minute: 3 },
      { minute: 16 },
      { minute: 17 },
    )
    expect(shapes(gatherBoosts(feed, null))).toEqual(['1000', ['999', '997', '984'], '998', '983'])
  })

  it('leaves two boosts, filtered ones, and those on the other side of what was read', async () => {
    const two = await entries({ minute: 0 }, { minute: 1 })
    expect(shapes(gatherBoosts(two, null))).toEqual(['1000', '999'])
    const folded = await entries({ minute: 0 }, { minute: 1 }, { minute: 2, isFiltered: true })
    expect(shapes(gatherBoosts(folded, null))).toEqual(['1000', '999', '998'])
    const read = await entries({ minute: 0 }, { minute: 1 }, { minute: 2 }, { minute: 3 }, { minute: 4 })
    expect(shapes(gatherBoosts(read, 998))).toEqual(['1000', '999', ['998', '997', '996']])
  })
})

describe('boosts on the home page', () => {
  it('boosts on the home page are one strip with their authors and words, until the member turns it off', async () => {
    const { member, browser } = await signedIn()
    const friend = await given.account()
    await relation.follow(member, friend)
    const author = await given.account()
    for (const spoilerText of ['', '', 'Secrets']) {
      const id = await storedStatus({
        accountId: author.id,
        content: '<p>Wrens in the hedge</p>',
        spoilerText,
      })
      await as(friend).post(`/api/v1/statuses/${id}/reblog`)
    }
    const gathered = (await browser.get('/home')).html
    expect(textOf(gathered)).toContain('3 boosts within a quarter of an hour')
    const [, strip = ''] = /<article class="boosts"[^>]*>(.*?)<\/article>/s.exec(gathered) ?? []
    expect(strip.split('Wrens in the hedge').length - 1).toBe(2)
    expect(strip).toContain('Secrets')
    expect(gathered).not.toContain('<article class="post"')
    const choices = { boosts: 'true', replies: 'true', quotes: 'true' }
    await browser.fill('/home', choices, { action: '/home' })
    const { html } = await browser.get('/home')
    expect(html).not.toContain('class="boosts"')
    expect(html.split('<article class="post"').length - 1).toBe(3)
    expect(html).not.toMatch(/name="gather" value="true" checked/)
  })
})
