import { describe, expect, it } from 'vitest'
import { List } from '../../../src/contract/entities/timelines'
import { as, posted } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

describe('the notifications page', () => {
  it('shows alike notifications as one entry, and mentions as whole posts', async () => {
    const { member, browser } = await signedIn()
    const own = await posted(member, { status: 'A wren' })
    const [one, other] = [await given.account(), await given.account()]
    for (const fan of [one, other]) await as(fan).post(`/api/v1/statuses/${own.id}/favourite`)
    await posted(one, { status: `@${member.username} a question` })
    const { html, costs } = await browser.get('/notifications')
    const text = textOf(html)
    expect(text).toMatch(/and 1 other\s+favourited your post/)
    expect(text).toContain('a question')
    expect(html).toContain(`/posts/${own.id}`.replace(own.id, ''))
    expectCosts(costs, { trips: 2 })
  })

  it('counts unread ones in the navigation until they are read', async () => {
    const { member, browser } = await signedIn()
    const fan = await given.account()
    await as(fan).post(`/api/v1/accounts/${member.id}/follow`)
    const before = await browser.get('/home')
    expect(before.html).toMatch(/<span class="count">1/)
    const { body } = await as(member).get('/api/v1/notifications')
    const [{ id } = { id: '0' }] = Array.isArray(body) ? body : []
    await as(member).post('/api/v1/markers', { notifications: { last_read_id: id } })
    expect((await browser.get('/home')).html).not.toContain('<span class="count">')
  })
})

describe('bookmarks, favourites and lists', () => {
  it('bookmarks, favourites and lists show what the member keeps, and nothing of others', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const kept = await posted(author, { status: 'kept words' })
    await as(member).post(`/api/v1/statuses/${kept.id}/bookmark`)
    await as(await given.account()).post(
      `/api/v1/statuses/${(await posted(author, { status: 'other words' })).id}/bookmark`,
    )
    const { html } = await browser.get('/bookmarks')
    expect(html).toContain('kept words')
    expect(html).not.toContain('other words')
    expect((await browser.get('/favourites')).html).not.toContain('kept words')
  })

  it('bookmarks, favourites and lists show the timeline of an own list, and none of another account', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    await as(member).post(`/api/v1/accounts/${author.id}/follow`)
    const list = List.parse((await as(member).post('/api/v1/lists', { title: 'Birders' })).body)
    await as(member).post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.id] })
    await posted(author, { status: 'on the list' })
    expect((await browser.get('/lists')).html).toContain('Birders')
    expect((await browser.get(`/lists/${list.id}`)).html).toContain('on the list')
    const { browser: stranger } = await signedIn()
    expect((await stranger.get(`/lists/${list.id}`)).status).toBe(404)
  })
})

describe('the page of a post', () => {
  it('shows members the thread with their own marks, in one round trip', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const first = await posted(author, { status: 'first words' })
    const second = await posted(author, { status: 'second words', in_reply_to_id: first.id })
    await posted(await given.account(), { status: 'a reply', in_reply_to_id: second.id })
    await as(member).post(`/api/v1/statuses/${second.id}/favourite`)
    const { html, costs } = await browser.get(`/@${author.username}/${second.id}`)
    expect(textOf(html)).toMatch(/first words.*second words.*a reply/s)
    expect(html).toContain('value="unfavourite"')
    expectCosts(costs, { trips: 1 })
  })

  it('shows followers what is for followers, and others nothing', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const hidden = await posted(author, { status: 'for followers', visibility: 'private' })
    const page = `/@${author.username}/${hidden.id}`
    expect((await browser.get(page)).status).toBe(404)
    await as(member).post(`/api/v1/accounts/${author.id}/follow`)
    expect((await browser.get(page)).html).toContain('for followers')
    expect((await new Browser().get(page)).status).toBe(404)
  })
})

describe('the question about a post', () => {
  it('deletes an own post after a confirmation, and none of another account', async () => {
    const { member, browser } = await signedIn()
    const own = await posted(member, { status: 'to go' })
    const page = await browser.get(`/posts/${own.id}/delete`)
    expect(page.html).toContain('to go')
    const sent = await browser.fill(`/posts/${own.id}/delete`, {}, { action: `/posts/${own.id}/delete` })
    expect([sent.status, sent.location]).toEqual([303, '/home'])
    expect((await as(member).get(`/api/v1/statuses/${own.id}`)).status).toBe(404)
    const other = await posted(await given.account(), { status: 'stays' })
    expect((await browser.get(`/posts/${other.id}/delete`)).status).toBe(404)
  })
})
