import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { Conversation } from '../../../src/contract/entities/timelines'
import { accounts, sessions } from '../../../src/db/schema'
import { as } from '../../support/as'
import { Browser, hiddenFields, type Page, textOf } from '../../support/browser'
import { expectCosts } from '../../support/expect-costs'
import { given, type TestAccount } from '../../support/given'
import { password, signedIn } from '../../support/members'
import { clock, context } from '../../support/test-app'

async function message(author: TestAccount, status: string, more: object = {}): Promise<Status> {
  const fields = { status, visibility: 'direct', ...more }
  return Status.parse((await as(author).post('/api/v1/statuses', fields)).body)
}

async function conversationsOf(member: TestAccount): Promise<readonly Conversation[]> {
  return Conversation.array().parse((await as(member).get('/api/v1/conversations')).body)
}

/** A member who got a message, and the path of its conversation. */
async function addressee() {
  const { member, browser } = await signedIn()
  const author = await given.account()
  const first = await message(author, `@${member.username} Did the frost get the sloes?`)
  const path = `/conversations/${first.id}`
  return { member, browser, author, first, path }
}

/** Sends the form of a page that was opened before. */
function sendFrom(page: Page, browser: Browser, path: string): Promise<Page> {
  const fields = { ...hiddenFields(page.html, path), status: 'typed before' }
  return browser.post(path, fields, { headers: { origin: 'https://fieldfare.test' } })
}

describe('the list of conversations', () => {
  it('shows people, last words and unread ones in two trips at most', async () => {
    const { browser, author, first, path } = await addressee()
    const { html, costs } = await browser.get('/conversations')
    expect(textOf(html)).toContain('Did the frost get the sloes?')
    expect(textOf(html)).not.toContain(`@${author.username} Did`)
    expect(html).toContain(`class="row-link is-unread" href="${path}#p-${first.id}"`)
    expectCosts(costs, { trips: 1 })
  })

  it('counts unread conversations in the navigation of every page', async () => {
    const { browser, path } = await addressee()
    const counted = /href="\/conversations".*?<span class="count">1<span class="hidden"> unread/
    expect((await browser.get('/home')).html).toMatch(counted)
    const sent = await browser.fill(path, {}, { action: `${path}/read` })
    expect([sent.status, sent.location]).toEqual([303, path])
    expect((await browser.get('/home')).html).not.toMatch(counted)
  })

  it('does not count a conversation whose author was suspended', async () => {
    const { browser, author } = await addressee()
    const suspension = { suspendedAt: clock.now() }
    await context().db.update(accounts).set(suspension).where(eq(accounts.id, author.id))
    expect((await browser.get('/home')).html).not.toContain('class="count"')
    expect((await browser.get('/conversations')).html).toContain('No messages yet')
  })

  it('pages to older conversations', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account()
    for (let number = 1; number <= 21; number += 1)
      await message(author, `@${member.username} number ${number};`)
    const newest = await browser.get('/conversations')
    expect(newest.html).not.toContain('number 1;')
    const [, older] = /href="(\/conversations\?max_id=\d+)" rel="next"/.exec(newest.html) ?? []
    expect((await browser.get(older ?? '')).html).toContain('number 1;')
  })
})

describe('a conversation', () => {
  it('shows the messages between its participants alone, oldest first, in two trips at most', async () => {
    const { member, browser, author, first, path } = await addressee()
    const reply = { in_reply_to_id: first.id }
    await message(member, `@${author.username} Only the top of the hedge.`, reply)
    const third = await given.account()
    await message(author, `@${member.username} @${third.username} Sunday for three?`, reply)
    const open = { status: `@${member.username} said in public`, in_reply_to_id: first.id }
    await as(author).post('/api/v1/statuses', open)
    const { html, costs } = await browser.get(path)
    const text = textOf(html)
    expect(text.indexOf('Did the frost')).toBeGreaterThan(0)
    expect(text.indexOf('Only the top')).toBeGreaterThan(text.indexOf('Did the frost'))
    for (const other of ['Sunday for three?', 'said in public']) expect(text).not.toContain(other)
    expectCosts(costs, { trips: 1 })
  })

  it('a conversation is gone once the member mutes the other person', async () => {
    const { member, browser, author, path } = await addressee()
    await as(member).post(`/api/v1/accounts/${author.id}/mute`)
    expect((await browser.get(path)).status).toBe(404)
    expect((await browser.get('/conversations')).html).toContain('No messages yet')
  })

  it('a conversation is not found for an account that does not take part, and asks visitors to sign in', async () => {
    const { path } = await addressee()
    const { browser } = await signedIn()
    for (const one of [path, `${path}/delete`]) expect((await browser.get(one)).status).toBe(404)
    expect((await new Browser().get(path)).location).toContain('/auth/sign_in')
  })

  it('sends a direct reply to the last message that mentions the others, and is then read', async () => {
    const { member, browser, author, first, path } = await addressee()
    const sent = await browser.fill(path, { status: 'Only the top of the hedge.' }, { action: path })
    const [conversation] = await conversationsOf(member)
    const last = conversation?.last_status
    expect(last).toMatchObject({ visibility: 'direct', in_reply_to_id: first.id })
    expect(last?.mentions.map(({ id }) => id)).toEqual([String(author.id)])
    expect(conversation?.unread).toBe(false)
    expect([sent.status, sent.location]).toEqual([303, `${path}#p-${last?.id}`])
    expect((await conversationsOf(author))[0]).toMatchObject({ unread: true, last_status: { id: last?.id } })
  })

  it('sends a form that is sent twice only once', async () => {
    const { member, browser, path } = await addressee()
    for (let count = 0; count < 2; count += 1)
      await browser.fill(path, { status: 'once', key: 'the same' }, { action: path })
    const { body } = await as(member).get(`/api/v1/accounts/${member.id}/statuses`)
    expect(body).toHaveLength(1)
  })

  it('keeps the text and says why when a message is refused', async () => {
    const { browser, path } = await addressee()
    const text = 'x'.repeat(9_000)
    const sent = await browser.fill(path, { status: text }, { action: path })
    expect(sent.status).toBe(422)
    expect(sent.html).toContain(`${text}</textarea>`)
    expect(sent.html).toContain('role="alert"')
    expect((await browser.fill(path, { status: ' ' }, { action: path })).status).toBe(422)
  })

  it('keeps the text of a member whose session has ended until they have signed in again', async () => {
    const { member, browser, path } = await addressee()
    const page = await browser.get(path)
    await context().db.delete(sessions).where(eq(sessions.accountId, member.id))
    const sent = await sendFrom(page, browser, path)
    expect(sent.location).toContain('/auth/sign_in')
    await browser.signIn(member.username, password)
    expect((await browser.get(path)).html).toContain('typed before</textarea>')
  })

  it('leads to a new message with the text when it was deleted meanwhile', async () => {
    const { browser, path } = await addressee()
    const page = await browser.get(path)
    const gone = await browser.fill(`${path}/delete`, {}, { action: `${path}/delete` })
    expect(gone.location).toBe('/conversations')
    expect((await browser.get('/conversations')).html).toContain('No messages yet')
    const sent = await sendFrom(page, browser, path)
    expect(sent.location).toBe('/publish?visibility=direct&text=typed+before')
  })

  it('changes nothing without the token of the page', async () => {
    const { member, browser, path } = await addressee()
    for (const end of ['', '/read', '/delete'])
      expect((await browser.post(path + end, { status: 'forged' })).status).toBe(422)
    expect(await conversationsOf(member)).toMatchObject([{ unread: true }])
  })
})
