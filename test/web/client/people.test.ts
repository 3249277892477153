import { describe, expect, it } from 'vitest'
import { Relationship } from '../../../src/contract/entities/account'
import { Report } from '../../../src/contract/entities/report'
import { List } from '../../../src/contract/entities/timelines'
import { as, posted } from '../../support/as'
import { Browser, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { signedIn } from '../../support/members'

interface Named {
  readonly id: number
}

async function relationshipOf(member: TestAccount, { id }: Named): Promise<Relationship> {
  const { body } = await as(member).get(`/api/v1/accounts/relationships?id[]=${id}`)
  const [relationship] = Array.isArray(body) ? body : []
  return Relationship.parse(relationship)
}

/** Address of a page about an account, which leads back to the notifications. */
const pageOf = ({ id }: Named, name: string) => `/accounts/${id}/${name}?return_to=%2Fnotifications`

/** Fills in and sends the form of such a page. */
function send(browser: Browser, person: Named, name: string, fields: Record<string, string> = {}) {
  const path = pageOf(person, name)
  return browser.fill(path, fields, { action: path })
}

describe('pages that ask before an account is shut out', () => {
  it('pages that ask before an account is shut out mute for a chosen time, and lead back', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const sent = await send(browser, author, 'mute', { duration: '3600', notifications: '' })
    expect([sent.status, sent.location]).toEqual([303, '/notifications'])
    const relationship = await relationshipOf(member, author)
    expect(relationship).toMatchObject({ muting: true, muting_notifications: false })
    expect(relationship.muting_expires_at).not.toBeNull()
    const profile = await browser.get(`/@${author.username}`)
    expect(profile.html).toContain('value="unmute"')
  })

  it('block, say so on the profile instead of its text, and unblock there', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account({ noteHtml: '<p>words about me</p>' })
    await send(browser, author, 'block')
    expect(await relationshipOf(member, author)).toMatchObject({ blocking: true })
    const path = `/@${author.username}`
    const { html } = await browser.get(path)
    expect(textOf(html)).toContain(`You have blocked ${author.username}.`)
    expect(html).not.toContain('words about me')
    await browser.fill(path, { act: 'unblock' }, { action: `/accounts/${author.id}` })
    expect(await relationshipOf(member, author)).toMatchObject({ blocking: false })
  })

  it('pages that ask before an account is shut out block a server after naming the follows that end', async () => {
    const { member, browser } = await signedIn()
    const author = await given.remoteAccount()
    await relation.follow(author, member)
    const page = await browser.get(pageOf(author, 'block_server'))
    expect(textOf(page.html)).toContain('You lose 1 follower from there.')
    await send(browser, author, 'block_server')
    expect(await relationshipOf(member, author)).toMatchObject({ domain_blocking: true, followed_by: false })
    expect((await browser.get(pageOf(await given.account(), 'block_server'))).status).toBe(404)
  })

  it('pages that ask before an account is shut out remove a follower', async () => {
    const { member, browser } = await signedIn()
    const fan = await given.account()
    await relation.follow(fan, member)
    await send(browser, fan, 'remove_follower')
    expect(await relationshipOf(member, fan)).toMatchObject({ followed_by: false })
  })

  it('pages that ask before an account is shut out are where the menus of posts lead', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    await relation.follow(member, author)
    const { id } = await posted(author, { status: 'loud words' })
    const { html } = await browser.get('/home')
    for (const name of ['mute', 'block', 'report'])
      expect(html).toContain(`href="/accounts/${author.id}/${name}?`)
    const [, path = ''] = new RegExp(`href="(/accounts/${author.id}/mute[^"]+)"`).exec(html) ?? []
    const sent = await browser.fill(path, {}, { action: path })
    expect(sent.location).toBe(`/home#p-${id}`)
  })

  it('pages that ask before an account is shut out are for no own account, and for no visitor', async () => {
    const { member, browser } = await signedIn()
    for (const name of ['mute', 'block', 'report', 'note', 'lists']) {
      expect((await browser.get(pageOf(member, name))).status).toBe(404)
      expect((await new Browser().get(pageOf(member, name))).location).toContain('/auth/sign_in?')
    }
  })
})

describe('forms for what a member keeps about an account', () => {
  it('save a note that the profile shows, and keep one that is too long', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    await send(browser, author, 'note', { comment: 'brings good biscuits' })
    expect((await relationshipOf(member, author)).note).toBe('brings good biscuits')
    const path = `/@${author.username}`
    expect((await browser.get(path)).html).toContain('brings good biscuits')
    expect((await new Browser().get(path)).html).not.toContain('brings good biscuits')
    const long = 'x'.repeat(2_001)
    const refused = await send(browser, author, 'note', { comment: long })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`>${long}</textarea>`)
    expect((await relationshipOf(member, author)).note).toBe('brings good biscuits')
  })

  it('forms for what a member keeps about an account keep a note while a member whose session ended signs in again', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const path = pageOf(author, 'note')
    const { html } = await browser.get(path)
    const [, token = ''] = /name="csrf_token" value="([^"]+)"/.exec(html) ?? []
    await browser.fill('/auth/edit', {}, { action: '/auth/sign_out' })
    const sent = await browser.post(
      path,
      { comment: 'brings good biscuits', csrf_token: token },
      { headers: { origin: 'https://fieldfare.test' } },
    )
    expect(sent.location).toContain('/auth/sign_in?')
    expect([...browser.jar.keys()].some((name) => name.includes('draft'))).toBe(true)
  })

  it('forms for what a member keeps about an account put followed accounts on lists, and take them off', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const list = List.parse((await as(member).post('/api/v1/lists', { title: 'Birders' })).body)
    const field = `list_${list.id}`
    const refused = await send(browser, author, 'lists', { [field]: '1' })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`name="${field}" value="1" checked`)
    await relation.follow(member, author)
    await send(browser, author, 'lists', { [field]: '1' })
    const members = async () => (await as(member).get(`/api/v1/lists/${list.id}/accounts`)).body
    expect(await members()).toMatchObject([{ id: String(author.id) }])
    await send(browser, author, 'lists', { [field]: '' })
    expect(await members()).toEqual([])
  })
})

describe('the form of a report', () => {
  it('sends the reason and the chosen posts to the moderators, once', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    const [bad, good] = [
      await posted(author, { status: 'bad words' }),
      await posted(author, { status: 'good' }),
    ]
    const path = `/accounts/${author.id}/report?status=${bad.id}&return_to=%2Fhome`
    const page = await browser.get(path)
    expect(page.html).toContain(`name="post_${bad.id}" value="1" checked`)
    expect(page.html).toMatch(new RegExp(`name="post_${good.id}" value="1"/?>`))
    const fields = { category: 'spam', comment: 'Again and again', [`post_${bad.id}`]: '1' }
    const sent = await browser.fill(path, fields, { action: path })
    expect(sent.status).toBe(303)
    expect(textOf((await browser.get(sent.location ?? '')).html)).toContain('Report sent')
    const { body } = await as(member).get('/api/v1/reports')
    const [report] = Array.isArray(body) ? body : []
    expect(Report.parse(report)).toMatchObject({
      category: 'spam',
      comment: 'Again and again',
      status_ids: [bad.id],
      forwarded: false,
    })
  })

  it('keeps what was typed where it is refused', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const long = 'x'.repeat(1_001)
    const refused = await send(browser, author, 'report', { category: 'legal', comment: long })
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`>${long}</textarea>`)
    expect(refused.html).toMatch(/value="legal" checked/)
  })

  it('forwards a report to the server of the account where that is chosen', async () => {
    const { member, browser } = await signedIn()
    const author = await given.remoteAccount()
    await send(browser, author, 'report', { category: 'other', comment: 'Look', forward: '1' })
    const { body } = await as(member).get('/api/v1/reports')
    expect(body).toMatchObject([{ forwarded: true }])
  })
})

describe('lists of people', () => {
  it('lists of people show followers and follows with the button for each, in two round trips', async () => {
    const { member, browser } = await signedIn()
    const [author, fan] = [await given.account(), await given.account()]
    await relation.follow(fan, author)
    await relation.follow(member, author)
    const { html, costs } = await browser.get(`/@${author.username}/followers`)
    expect(html).toContain(`id="a-${fan.id}"`)
    expect(html).toContain(`action="/accounts/${fan.id}"`)
    expect(html).not.toContain(`action="/accounts/${member.id}"`)
    expectCosts(costs, { trips: 2 })
    const path = `/@${fan.username}/following`
    const sent = await browser.fill(path, { act: 'unfollow' }, { action: `/accounts/${author.id}` })
    expect(sent.location).toBe(`${path}#a-${author.id}`)
    expect(await relationshipOf(member, author)).toMatchObject({ following: false })
  })

  it('lists of people show nothing of accounts that hide their follows, or block the member', async () => {
    const { member, browser } = await signedIn()
    const fan = await given.account()
    const [hiding, blocking] = [await given.account({ hideCollections: true }), await given.account()]
    await relation.block(blocking, member)
    for (const author of [hiding, blocking]) {
      await relation.follow(fan, author)
      const { html } = await browser.get(`/@${author.username}/followers`)
      expect(html).not.toContain(`a-${fan.id}"`)
    }
  })

  it('lists of people page to older followers and back', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const fans = []
    for (let count = 0; count < 41; count += 1) {
      const fan = await given.account()
      await relation.follow(fan, author)
      fans.push(fan)
    }
    const first = await browser.get(`/@${author.username}/followers`)
    expect(first.html).not.toContain(`id="a-${fans[0]?.id}"`)
    const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first.html) ?? []
    const second = await browser.get(older)
    expect(second.html).toContain(`id="a-${fans[0]?.id}"`)
    expect(second.html).toContain(`href="/@${author.username}/followers">`)
  })

  it('lists of people show who boosted and favourited a post to members who may see it', async () => {
    const { member, browser } = await signedIn()
    const [author, fan] = [await given.account(), await given.account()]
    const open = await posted(author, { status: 'a wren' })
    const hidden = await posted(author, { status: 'for followers', visibility: 'private' })
    await relation.follow(fan, author)
    for (const { id } of [open, hidden]) await as(fan).post(`/api/v1/statuses/${id}/favourite`)
    await as(fan).post(`/api/v1/statuses/${open.id}/reblog`)
    const path = `/@${author.username}/${open.id}`
    for (const kind of ['reblogs', 'favourites'])
      expect((await browser.get(`${path}/${kind}`)).html).toContain(`id="a-${fan.id}"`)
    expect((await browser.get(path)).html).toContain(`href="${path}/favourites"`)
    expect((await browser.get(`/@${author.username}/${hidden.id}/favourites`)).status).toBe(404)
    expect((await browser.get(`/@${fan.username}/${open.id}/favourites`)).status).toBe(404)
    await relation.follow(member, author)
    expect((await browser.get(`/@${author.username}/${hidden.id}/favourites`)).html).toContain(`a-${fan.id}"`)
  })

  it('lists of people show people that an account features', async () => {
    const { browser } = await signedIn()
    const [author, friend] = [await given.account(), await given.account()]
    await relation.follow(author, friend)
    await as(author).post(`/api/v1/accounts/${friend.id}/endorse`)
    expect((await browser.get(`/@${author.username}/featured`)).html).toContain(`id="a-${friend.id}"`)
  })
})

describe('profiles that are hidden', () => {
  it('profiles that are hidden show one sentence where the account is suspended or limited, and limited ones on request', async () => {
    const { browser } = await signedIn()
    const at = new Date()
    const suspended = await given.account({ suspendedAt: at, noteHtml: '<p>secret note</p>' })
    const limited = await given.account({ silencedAt: at, noteHtml: '<p>limited note</p>' })
    const one = await browser.get(`/@${suspended.username}`)
    expect(textOf(one.html)).toContain('This account is suspended.')
    expect(one.html).not.toContain('secret note')
    const two = await browser.get(`/@${limited.username}`)
    expect(textOf(two.html)).toContain('This profile has been hidden by the moderators of this server.')
    expect(two.html).not.toContain('limited note')
    expect((await browser.get(`/@${limited.username}?limited=show`)).html).toContain('limited note')
  })
})
