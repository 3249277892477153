import { describe, expect, it } from 'vitest'
import { Relationship } from '../../../src/contract/entities/account'
import { as, posted } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { signedIn } from '../../support/members'

async function relationshipOf(member: TestAccount, { id }: { readonly id: number }): Promise<Relationship> {
  const { body } = await as(member).get(`/api/v1/accounts/relationships?id[]=${id}`)
  const [relationship] = Array.isArray(body) ? body : []
  return Relationship.parse(relationship)
}

/** Presses a button of the profile of `person`. */
function press(browser: Browser, { id, username }: TestAccount, act: string) {
  return browser.fill(`/@${username}`, { act }, { action: `/accounts/${id}` })
}

describe('the profile of an account for members', () => {
  it('shows pinned posts first, own boosts, and posts for followers to followers', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const pinned = await posted(author, { status: 'pinned words' })
    await as(author).post(`/api/v1/statuses/${pinned.id}/pin`)
    await posted(author, { status: 'newer words' })
    await posted(author, { status: 'private words', visibility: 'private' })
    const boosted = await posted(await given.account(), { status: 'boosted words' })
    await as(author).post(`/api/v1/statuses/${boosted.id}/reblog`)
    const path = `/@${author.username}`
    const { html, headers } = await browser.get(path)
    expect(textOf(html)).toMatch(/pinned words.*boosted words.*newer words/s)
    expect(html).not.toContain('private words')
    expect(headers.get('cache-control')).toBe('private, no-store')
    await as(member).post(`/api/v1/accounts/${author.id}/follow`)
    expect((await browser.get(path)).html).toContain('private words')
    expect((await new Browser().get(path)).html).not.toContain('private words')
  })

  it('shows remote accounts, which visitors are led away from', async () => {
    const { browser } = await signedIn()
    const author = await given.remoteAccount()
    const path = `/@${author.username}@${author.domain}`
    const { status, html } = await browser.get(path)
    expect(status).toBe(200)
    expect(html).toContain('Open on its own server')
    expect((await new Browser().get(path)).html).not.toContain('Open on its own server')
  })

  it('the profile of an account for members has tabs of replies and media, and pages to older and newer posts', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const first = await posted(author, { status: 'number 0;' })
    for (let count = 1; count < 22; count += 1) await posted(author, { status: `number ${count};` })
    await posted(await given.account(), { status: 'by others' })
    const path = `/@${author.username}`
    const newest = await browser.get(path)
    expect(newest.html).not.toContain('number 0;')
    const [, older = ''] = /href="([^"]+\?max_id=\d+)" rel="next"/.exec(newest.html) ?? []
    const oldest = await browser.get(older)
    expect(oldest.html).toContain('number 0;')
    const [, newer = ''] = /class="newer" href="([^"]+)"/.exec(oldest.html) ?? []
    expect((await browser.get(newer)).html).toContain('number 5;')
    const other = await given.account()
    const answer = await posted(author, {
      status: 'an answer',
      in_reply_to_id: (await posted(other, { status: 'q' })).id,
    })
    expect((await browser.get(path)).html).not.toContain(`p-${answer.id}"`)
    expect((await browser.get(`${path}/with_replies`)).html).toContain(`p-${answer.id}"`)
    expect((await browser.get(`${path}/media`)).html).not.toContain(`p-${first.id}"`)
  })

  it('names followers that the member follows', async () => {
    const { member, browser } = await signedIn()
    const [author, friend] = [await given.account(), await given.account()]
    await as(member).post(`/api/v1/accounts/${friend.id}/follow`)
    await as(friend).post(`/api/v1/accounts/${author.id}/follow`)
    const { html, costs } = await browser.get(`/@${author.username}`)
    expect(textOf(html)).toContain(`Followed by ${friend.username}`)
    expectCosts(costs, { trips: 2 })
  })

  it('costs one round trip where no follower is known, and reads no more rows than the calls of the API', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    for (let count = 0; count < 20; count += 1) await posted(author, { status: `A post, number ${count}` })
    const path = `/@${author.username}`
    await browser.get(path)
    const { costs } = await browser.get(path)
    const calls = [
      `/api/v1/accounts/lookup?acct=${author.username}`,
      `/api/v1/accounts/relationships?id[]=${author.id}`,
      `/api/v1/accounts/${author.id}/statuses?exclude_replies=true`,
      `/api/v1/accounts/${author.id}/statuses?pinned=true`,
      `/api/v1/accounts/${author.id}/featured_tags`,
      `/api/v1/accounts/familiar_followers?id[]=${author.id}`,
      '/api/v1/notifications/unread_count',
    ]
    const answers = []
    for (const call of calls) answers.push(await as(member).get(call))
    const rowsRead = answers.reduce((sum, answer) => sum + answer.costs.rowsRead, 0)
    expectCosts(costs, { trips: 1, rowsRead })
  })
})

describe('buttons of a profile', () => {
  it('buttons of a profile open the composer with a message to the account alone', async () => {
    const { browser } = await signedIn()
    const { username } = await given.account()
    const { html } = await browser.get(`/@${username}`)
    const [, path = ''] = /href="(\/publish\?[^"]+visibility=direct)"/.exec(html) ?? []
    const composer = await browser.get(path.replaceAll('&amp;', '&'))
    expect(composer.html).toContain(`@${username} </textarea>`)
    expect(composer.html).toMatch(/name="visibility" value="direct" checked/)
  })

  it('buttons of a profile refuse with a sentence where the account blocks the member, and where it is gone', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const { html } = await browser.get(`/@${author.username}`)
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(html) ?? []
    const follow = (id: number) =>
      browser.post(`/accounts/${id}`, { act: 'follow', csrf_token: token, return_to: '/home' })
    await relation.block(author, member)
    const blocked = await follow(author.id)
    expect(blocked.status).toBe(403)
    expect(textOf(blocked.html)).toContain('one of you has blocked the other')
    const gone = await follow(1)
    expect(gone.status).toBe(404)
    expect(textOf(gone.html)).toContain('This account is no longer available')
    expect(gone.html).toContain('href="/home"')
  })

  it('follow, change what one gets, and unfollow', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const sent = await press(browser, author, 'follow')
    expect([sent.status, sent.location]).toEqual([303, `/@${author.username}`])
    for (const [act, state] of [
      ['notify', { following: true, notifying: true }],
      ['unnotify', { notifying: false }],
      ['hide_boosts', { showing_reblogs: false }],
      ['show_boosts', { showing_reblogs: true }],
      ['endorse', { endorsed: true }],
      ['unendorse', { endorsed: false }],
      ['unfollow', { following: false }],
    ] as const) {
      await press(browser, author, act)
      expect(await relationshipOf(member, author)).toMatchObject(state)
    }
  })
})
