import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, suggestionLists, trendingStatuses } from '../../../src/db/schema'
import { as } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { linkedPage, trendsRefreshed, usedTag } from '../../support/given-trends'
import { signedIn } from '../../support/members'
import { saidIn } from '../../support/read-feed'
import { withSettings } from '../../support/settings'
import { clock, context } from '../../support/test-app'

// Trends and the directory are of all accounts: those of other tests would push out those made here.
beforeEach(async () => {
  const { db } = context()
  await db.delete(trendingStatuses)
  await db.update(accounts).set({ discoverable: false }).where(sql`discoverable = 1`)
})

/** Stores a status as trending, whatever it is. */
async function trending(author: TestAccount, row: object, rank = 1e9): Promise<number> {
  const statusId = await storedStatus({ accountId: author.id, language: 'en', ...row })
  const trend = { statusId, accountId: author.id, language: 'en', rank, trendable: true }
  await context().db.insert(trendingStatuses).values(trend)
  return statusId
}

/** A discoverable account that posted last. */
async function findable() {
  clock.advance(1_000)
  return given.account({ discoverable: true, lastStatusAt: clock.now() })
}

async function suggested(viewer: TestAccount, people: readonly TestAccount[]): Promise<void> {
  const entries = people.map(({ id }) => ({ id, sources: [] }))
  await context()
    .db.insert(suggestionLists)
    .values({ accountId: viewer.id, entries, computedAt: clock.now() })
}

const peopleIn = (html: string) => [...html.matchAll(/ id="a-(\d+)"/g)].map(([, id]) => Number(id))
const nextOf = (html: string) => /href="([^"]+)" rel="next"/.exec(html)?.[1]

describe('trending posts for members', () => {
  it('can be favourited in place, and are read in one round trip', async () => {
    const { browser } = await signedIn()
    const id = await trending(await given.account({ discoverable: true }), { content: '<p>said-openly</p>' })
    const page = await browser.get('/explore')
    expect(saidIn(page)).toEqual(['said-openly'])
    expectCosts(page.costs, { trips: 1 })
    const sent = await browser.fill('/explore', { act: 'favourite' }, { action: `/posts/${id}` })
    expect(sent.location).toBe(`/explore#p-${id}`)
    expect((await browser.get('/explore')).html).toContain('value="unfavourite"')
  })

  it('trending posts for members leave out authors whom the member muted or blocks, and posts that a filter hides', async () => {
    const { member, browser } = await signedIn()
    const [muted, blocked, other] = [
      await given.account({ discoverable: true }),
      await given.account({ discoverable: true }),
      await given.account({ discoverable: true }),
    ]
    await trending(muted, { content: '<p>said-by-muted</p>' })
    await trending(blocked, { content: '<p>said-by-blocked</p>' })
    await trending(other, { content: '<p>said-of-turnips</p>' })
    await trending(other, { content: '<p>said-openly</p>' })
    expect(saidIn(await browser.get('/explore'))).toHaveLength(4)
    await as(member).post(`/api/v1/accounts/${muted.id}/mute`)
    await as(member).post(`/api/v1/accounts/${blocked.id}/block`)
    const hides = { context: ['public'], filter_action: 'hide' }
    const keywords = { keywords_attributes: [{ keyword: 'turnips', whole_word: true }] }
    await as(member).post('/api/v2/filters', { ...hides, ...keywords, title: 'Roots' })
    expect(saidIn(await browser.get('/explore'))).toEqual(['said-openly'])
  })

  it('trending posts for members go on behind twenty by their offset, and end', async () => {
    const { browser } = await signedIn()
    const author = await given.account({ discoverable: true })
    for (let index = 0; index < 22; index += 1)
      await trending(author, { content: `<p>post-${index}.</p>` }, 1e9 - index)
    const first = await browser.get('/explore')
    const second = await browser.get(nextOf(first.html) ?? '')
    const posts = (html: string) => new Set([...html.matchAll(/post-\d+\./g)].map(([found]) => found))
    expect([posts(first.html).size, [...posts(second.html)]]).toEqual([20, ['post-20.', 'post-21.']])
    expect(nextOf(second.html)).toBeUndefined()
    for (const odd of ['-1', 'x', '1e3', '99999'])
      expect((await browser.get(`/explore?offset=${odd}`)).status).toBe(200)
  })
})

describe('trending hashtags and news for members', () => {
  it('trending hashtags and news for members show hashtags with the line of their week and a button to follow, and news with host and title', async () => {
    const { browser } = await signedIn()
    await withSettings({ trends: true, trendableByDefault: true }, async () => {
      const [tag, link] = [await usedTag(6), await linkedPage(6)]
      await trendsRefreshed()
      const tags = await browser.get('/explore/tags')
      expect(tags.html).toContain(`action="/tags/${tag}"`)
      expect(tags.html).toContain('class="spark"')
      expect(textOf(tags.html)).toContain('6 people in the past 2 days')
      const sent = await browser.fill('/explore/tags', { act: 'follow' }, { action: `/tags/${tag}` })
      expect(sent.location).toBe('/explore/tags')
      const news = await browser.get('/explore/links')
      const [row = ''] = new RegExp(`<a class="row-link tall" href="${link}".*?</a>`).exec(news.html) ?? []
      expect(row).toContain('<img class="thumb"')
      expect(textOf(row)).toContain(`${new URL(link).host} · 6 people`)
      expect(textOf(row)).toContain('Fieldfares')
      for (const { costs } of [tags, news]) expectCosts(costs, { trips: 1 })
    })
  })

  it('trending hashtags and news for members lead visitors to the page that shows them all', async () => {
    for (const path of ['/explore/tags', '/explore/links'])
      expect((await new Browser().get(path)).location).toBe('/explore')
    expect((await new Browser().get('/explore/suggestions')).location).toBe(
      '/auth/sign_in?return_to=%2Fexplore%2Fsuggestions',
    )
  })
})

describe('people in Explore', () => {
  it('people in Explore are suggested in two round trips, and are followed in place', async () => {
    const { member, browser } = await signedIn()
    const [one, two, unlisted] = [await findable(), await findable(), await given.account()]
    const suspended = await given.account({ discoverable: true, suspendedAt: clock.now() })
    const limited = await given.account({ discoverable: true, silencedAt: clock.now() })
    await suggested(member, [one, unlisted, suspended, limited, two])
    const { html, costs } = await browser.get('/explore/suggestions')
    expect(peopleIn(html)).toEqual([one.id, two.id])
    expectCosts(costs, { trips: 2 })
    const press = { action: `/accounts/${one.id}` }
    const sent = await browser.fill('/explore/suggestions', { act: 'follow' }, press)
    expect(sent.location).toBe(`/explore/suggestions#a-${one.id}`)
    expect(peopleIn((await browser.get('/explore/suggestions')).html)).toEqual([two.id])
  })

  it('people in Explore are not suggested again once the member dismissed them', async () => {
    const { member, browser } = await signedIn()
    const [one, two] = [await findable(), await findable()]
    await suggested(member, [one, two])
    const press = { action: `/accounts/${one.id}` }
    const sent = await browser.fill('/explore/suggestions', { act: 'dismiss' }, press)
    expect(sent.status).toBe(303)
    expect(peopleIn((await browser.get('/explore/suggestions')).html)).toEqual([two.id])
    const { body } = await as(member).get('/api/v2/suggestions')
    expect(body).toMatchObject([{ account: { id: String(two.id) } }])
  })

  it('people in Explore are found for members who open the page for the first time, and anew after half an hour', async () => {
    const { member, browser } = await signedIn()
    const one = await findable()
    expect(peopleIn((await browser.get('/explore/suggestions')).html)).toContain(one.id)
    clock.advance(31 * 60_000)
    const two = await findable()
    await context()
      .db.update(suggestionLists)
      .set({ entries: [{ id: one.id, sources: [] }] })
      .where(eq(suggestionLists.accountId, member.id))
    const { html, costs } = await browser.get('/explore/suggestions')
    expect(peopleIn(html)).toEqual([one.id])
    // Two of them behind the answer.
    expectCosts(costs, { trips: 4 })
    expect(peopleIn((await browser.get('/explore/suggestions')).html)).toContain(two.id)
  })

  it('people in Explore are all there is to explore where nothing trends on this server', async () => {
    const { browser } = await signedIn()
    await withSettings({ trends: false }, async () => {
      for (const path of ['/explore', '/explore/tags', '/explore/links'])
        expect((await browser.get(path)).location).toBe('/explore/suggestions')
      const { html } = await browser.get('/explore/suggestions')
      expect(html).not.toContain('href="/explore/tags"')
      expect(html).toContain('href="/directory"')
    })
  })
})

describe('the directory for members', () => {
  it('lists those who want to be found with a button to follow, latest active first, in two round trips', async () => {
    const { member, browser } = await signedIn()
    const [first, second, blocked] = [await findable(), await findable(), await findable()]
    await as(member).post(`/api/v1/accounts/${blocked.id}/block`)
    const { html, costs } = await browser.get('/directory')
    expect(peopleIn(html)).toEqual([second.id, first.id])
    expectCosts(costs, { trips: 2 })
    const sent = await browser.fill('/directory', { act: 'follow' }, { action: `/accounts/${first.id}` })
    expect(sent.location).toBe(`/directory#a-${first.id}`)
    expect((await browser.get('/directory')).html).toContain('value="unfollow"')
  })

  it('the directory for members has pages, and is neither there nor linked where the operator closed it', async () => {
    const { browser } = await signedIn()
    for (let index = 0; index < 42; index += 1) await findable()
    const first = await browser.get('/directory')
    const second = await browser.get(nextOf(first.html) ?? '')
    expect([peopleIn(first.html).length, peopleIn(second.html).length]).toEqual([40, 2])
    expect(new Set([...peopleIn(first.html), ...peopleIn(second.html)]).size).toBe(42)
    await withSettings({ profileDirectory: false }, async () => {
      expect((await browser.get('/directory')).status).toBe(404)
      expect((await browser.get('/explore/suggestions')).html).not.toContain('href="/directory"')
    })
  })
})
