import { describe, expect, it } from 'vitest'
import { Tag } from '../../../src/contract/entities/tag'
import { as, posted } from '../../support/as'
import { Browser } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { freshName, given } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { signedIn } from '../../support/members'
import { withSettings } from '../../support/settings'

describe('the sliders of home', () => {
  it('the sliders of home leave out boosts, replies to others and quotes, and bring them back', async () => {
    const { member, browser } = await signedIn()
    const [author, other] = [await given.account(), await given.account()]
    const boosted = await posted(await given.account(), { status: 'words to boost' })
    await as(member).post(`/api/v1/accounts/${author.id}/follow`)
    await as(member).post(`/api/v1/accounts/${other.id}/follow`)
    const first = await posted(other, { status: 'the first words' })
    await as(author).post(`/api/v1/statuses/${boosted.id}/reblog`)
    await posted(author, { status: 'a reply to another', in_reply_to_id: first.id })
    await posted(author, { status: 'a quote of it', quoted_status_id: first.id })
    const own = await posted(member, { status: 'own words' })
    await posted(author, { status: 'a reply to the member', in_reply_to_id: own.id })
    const seen = async () => {
      const { html } = await browser.get('/home')
      return ['words to boost', 'a reply to another', 'a quote of it', 'a reply to the member'].filter(
        (words) => html.includes(words),
      )
    }
    expect(await seen()).toHaveLength(4)
    const sent = await browser.fill('/home', {})
    expect([sent.status, sent.location]).toEqual([303, '/home'])
    expect(await seen()).toEqual(['a reply to the member'])
    expect((await browser.get('/home')).html).not.toMatch(/name="replies"[^>]*checked/)
    await browser.fill('/home', { replies: 'true' })
    expect(await seen()).toEqual(['a reply to another', 'a reply to the member'])
    // Apps choose for themselves.
    const { body } = await as(member).get('/api/v1/timelines/home')
    expect(body).toHaveLength(6)
  })

  it('the sliders of home change nothing without the token of the page', async () => {
    const { browser } = await signedIn()
    expect((await browser.post('/home', {})).status).toBe(422)
    expect((await browser.get('/home')).html).toMatch(/name="boosts"[^>]*checked/)
  })
})

describe('the public timelines of members', () => {
  it('the public timelines of members show posts with the state of the member, and none of accounts that they muted', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const { id } = await posted(author, { status: 'a wren for all' })
    await as(member).post(`/api/v1/statuses/${id}/favourite`)
    for (const path of ['/public/local', '/public']) {
      const { html, costs } = await browser.get(path)
      expect(html).toContain('a wren for all')
      expect(html).toContain('value="unfavourite"')
      expectCosts(costs, { trips: 1 })
    }
    expect((await new Browser().get('/public/local')).html).not.toContain('value="favourite"')
    await as(member).post(`/api/v1/accounts/${author.id}/mute`)
    expect((await browser.get('/public/local')).html).not.toContain('a wren for all')
  })

  it('favourite a post in place', async () => {
    const { browser } = await signedIn()
    const { id } = await posted(await given.account(), { status: 'a wren for all' })
    const sent = await browser.fill('/public/local', { act: 'favourite' }, { action: `/posts/${id}` })
    expect(sent.location).toBe(`/public/local#p-${id}`)
  })

  it('the public timelines of members have no tab where the operator closed the timeline', async () => {
    const { browser } = await signedIn()
    await withSettings({ remoteFeedAccess: 'disabled' }, async () => {
      const { html } = await browser.get('/home')
      expect(html).toContain('href="/public/local"')
      expect(html).not.toContain('href="/public"')
      expect((await browser.get('/public')).status).toBe(404)
    })
  })
})

describe('the page of a hashtag for members', () => {
  it('follows and unfollows it in place', async () => {
    const { member, browser } = await signedIn()
    const name = freshName('Wren')
    await posted(await given.account(), { status: `seen one #${name}` })
    const path = `/tags/${name}`
    const { html, costs } = await browser.get(path)
    expect(html).toContain('1 person in the past 2 days')
    expectCosts(costs, { trips: 1 })
    for (const [act, following] of [
      ['follow', true],
      ['unfollow', false],
    ] as const) {
      const sent = await browser.fill(path, { act })
      expect([sent.status, sent.location]).toEqual([303, path])
      expect((await browser.get(path)).html).toContain(`value="${following ? 'unfollow' : 'follow'}"`)
      const tag = Tag.parse((await as(member).get(`/api/v1/tags/${name}`)).body)
      expect(tag.following).toBe(following)
    }
  })

  it('refuses what is no hashtag, and shows one without posts', async () => {
    const { browser } = await signedIn()
    expect((await browser.get('/tags/no%20tag')).status).toBe(404)
    const { status, html } = await browser.get(`/tags/${freshName('unused')}`)
    expect(status).toBe(200)
    expect(html).toContain('Nothing here yet')
  })

  it('shows posts of other servers only where the operator opens them', async () => {
    const { browser } = await signedIn()
    const name = freshName('owl')
    const remote = await given.remoteAccount()
    await storedStatus({ accountId: remote.id, local: false, tags: [name], content: '<p>hooting</p>' })
    expect((await browser.get(`/tags/${name}`)).html).toContain('hooting')
    await withSettings({ remoteTagAccess: 'disabled' }, async () => {
      expect((await browser.get(`/tags/${name}`)).html).not.toContain('hooting')
    })
  })
})
