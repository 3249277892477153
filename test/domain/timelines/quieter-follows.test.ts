import { describe, expect, it } from 'vitest'
import { as, posted } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { given, type TestAccount } from '../../support/given'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

const day = 86_400_000

/** Texts of the home timeline that apps get, newest first. */
async function homeOf(member: TestAccount): Promise<readonly string[]> {
  const { body } = await as(member).get('/api/v1/timelines/home')
  const statuses: readonly { content: string; reblog: { content: string } | null }[] = Array.isArray(body)
    ? body
    : []
  return statuses.map(({ content, reblog }) => textOf(reblog?.content ?? content).trim())
}

async function scene() {
  const { member, browser } = await signedIn()
  const [author, friend] = [await given.account(), await given.account()]
  for (const one of [author, friend]) await as(member).post(`/api/v1/accounts/${one.id}/follow`)
  return { member, browser, author, friend }
}

interface Named {
  readonly id: number
}

/** Sends the form for what home shows of an account: boosts and replies are ticked unless they are left out. */
async function choose(browser: Browser, { id }: Named, choices: Record<string, string>): Promise<void> {
  const path = `/accounts/${id}/shown?return_to=%2Fhome`
  const sent = await browser.fill(path, { boosts: 'true', replies: 'true', ...choices }, { action: path })
  expect([sent.status, sent.location]).toEqual([303, '/home'])
}

describe('what home shows of a followed account', () => {
  it('hides replies to others at home and keeps those to the reader and own threads', async () => {
    const { member, browser, author, friend } = await scene()
    const root = await posted(friend, { status: 'a question' })
    const mine = await posted(member, { status: 'mine' })
    await posted(author, { status: 'an earlier answer', in_reply_to_id: root.id })
    await choose(browser, author, { replies: '' })
    await posted(author, { status: 'a later answer', in_reply_to_id: root.id })
    await posted(author, { status: 'an answer to the reader', in_reply_to_id: mine.id })
    const thread = await posted(author, { status: 'a thread' })
    await posted(author, { status: 'its second part', in_reply_to_id: thread.id })
    expect(await homeOf(member)).toEqual([
      'its second part',
      'a thread',
      'an answer to the reader',
      'mine',
      'a question',
    ])
    await choose(browser, author, {})
    expect(await homeOf(member)).toEqual(expect.arrayContaining(['a later answer', 'an earlier answer']))
  })

  it('takes earlier boosts and other languages out of home, and brings them back', async () => {
    const { member, browser, author } = await scene()
    const other = await posted(await given.account(), { status: 'somebody else' })
    await as(author).post(`/api/v1/statuses/${other.id}/reblog`)
    await posted(author, { status: 'bonjour', language: 'fr' })
    await posted(author, { status: 'hello', language: 'en' })
    await choose(browser, author, { boosts: '', 'language-en': 'true' })
    expect(await homeOf(member)).toEqual(['hello'])
    await choose(browser, author, {})
    expect([...(await homeOf(member))].sort()).toEqual(['bonjour', 'hello', 'somebody else'])
  })

  it('shows the first post of each day where fewer are wanted, and all of them again afterwards', async () => {
    const { member, browser, author, friend } = await scene()
    // Noon, so that the posts of a day stay in it.
    const start = Math.ceil(clock.now().getTime() / day) * day + day / 2
    clock.set(new Date(start))
    await posted(author, { status: 'monday one' })
    await posted(author, { status: 'monday two' })
    await posted(friend, { status: 'friend one' })
    await posted(friend, { status: 'friend two' })
    await choose(browser, author, { fewer: 'true' })
    expect(await homeOf(member)).toEqual(['friend two', 'friend one', 'monday one'])
    await posted(author, { status: 'monday three' })
    clock.set(new Date(start + day))
    await posted(author, { status: `@${member.username} in private`, visibility: 'direct' })
    await posted(author, { status: 'tuesday one' })
    await posted(author, { status: 'tuesday two' })
    expect(await homeOf(member)).toEqual([
      'tuesday one',
      expect.stringContaining('in private'),
      'friend two',
      'friend one',
      'monday one',
    ])
    await choose(browser, author, {})
    expect(await homeOf(member)).toEqual(
      expect.arrayContaining(['tuesday two', 'tuesday one', 'monday three', 'monday two', 'monday one']),
    )
  })

  it('shows a second post of the day once the first was deleted', async () => {
    const { member, browser, author } = await scene()
    await choose(browser, author, { fewer: 'true' })
    const first = await posted(author, { status: 'first' })
    await as(author).delete(`/api/v1/statuses/${first.id}`)
    await posted(author, { status: 'second' })
    expect(await homeOf(member)).toEqual(['second'])
  })

  it('offers no choices for an account that is not followed', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const { html } = await browser.get(`/accounts/${author.id}/shown`)
    expect(html).not.toContain('name="replies"')
    expect(textOf(html)).toContain('Follow this account to choose')
  })

  it('keeps the choices of a request until it is accepted', async () => {
    const { member, browser } = await signedIn()
    const author = await given.account({ locked: true })
    await as(member).post(`/api/v1/accounts/${author.id}/follow`)
    await choose(browser, author, { replies: '', fewer: 'true', 'language-de': 'true' })
    await as(author).post(`/api/v1/follow_requests/${member.id}/authorize`)
    const { html } = await browser.get(`/accounts/${author.id}/shown`)
    expect(html).toMatch(/name="fewer"[^>]*checked/)
    expect(html).toMatch(/name="language-de"[^>]*checked/)
    expect(html).not.toMatch(/name="replies"[^>]*checked/)
  })
})

describe('the menu of a profile', () => {
  it('snoozes an account for a day by one press, and ends that by another', async () => {
    const { member, browser, author } = await scene()
    const path = `/@${author.username}`
    await posted(author, { status: 'noise' })
    await browser.fill(path, { act: 'snooze' }, { action: `/accounts/${author.id}` })
    expect(await homeOf(member)).toEqual([])
    expect((await browser.get('/settings/blocks')).html).toContain(author.username)
    const now = clock.now().getTime()
    clock.set(new Date(now + day + 1_000))
    expect(await homeOf(member)).toEqual(['noise'])
    clock.set(new Date(now))
    await browser.fill(path, { act: 'unmute' }, { action: `/accounts/${author.id}` })
    expect(await homeOf(member)).toEqual(['noise'])
  })
})
