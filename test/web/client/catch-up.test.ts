import { describe, expect, it } from 'vitest'
import { as, posted } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { signedIn } from '../../support/members'
import { clock } from '../../support/test-app'

const path = '/home/catch-up'
const hour = 3_600_000

async function scene() {
  const { member, browser } = await signedIn()
  const [jun, merle] = [
    await given.account({ displayName: 'Jun' }),
    await given.account({ displayName: 'Merle' }),
  ]
  for (const one of [jun, merle]) await as(member).post(`/api/v1/accounts/${one.id}/follow`)
  return { member, browser, jun, merle }
}

/** Marks the home of a member as read until a post. */
function readUntil(member: TestAccount, id: string) {
  return as(member).post('/api/v1/markers', { home: { last_read_id: id } })
}

/** Names of the sections of a page, in order, each with the number of its posts. */
async function groupsOf(browser: Browser, url = path): Promise<readonly string[]> {
  const { html } = await browser.get(url)
  const [, ...sections] = html.split('<section aria-label="')
  return sections.map(
    (one) => `${one.split('"')[0]} ${one.split('</section>')[0]?.split('<article').length ?? 0}`,
  )
}

describe('catch-up', () => {
  it('shows what was not read by person, and ends', async () => {
    const { member, browser, jun, merle } = await scene()
    const seen = await posted(jun, { status: 'seen already' })
    await readUntil(member, seen.id)
    await posted(jun, { status: 'one' })
    await posted(merle, { status: 'two' })
    await posted(jun, { status: 'three' })
    expect(await groupsOf(browser)).toEqual(['Jun 3', 'Merle 2'])
    const text = textOf((await browser.get(path)).html)
    expect(text).not.toContain('seen already')
    expect(text).toContain('That’s all')
  })

  it('goes back as many hours as chosen, and not behind what was read', async () => {
    const { member, browser, jun } = await scene()
    await posted(jun, { status: 'ten hours ago' })
    clock.advance(5 * hour)
    const middle = await posted(jun, { status: 'five hours ago' })
    clock.advance(5 * hour)
    const textOfSpan = async (span: string) => textOf((await browser.get(`${path}?span=${span}`)).html)
    expect(await textOfSpan('8')).toMatch(/five hours ago/)
    expect(await textOfSpan('8')).not.toMatch(/ten hours ago/)
    expect(await textOfSpan('24')).toMatch(/ten hours ago/)
    await readUntil(member, middle.id)
    expect(await groupsOf(browser, `${path}?span=24`)).toEqual([])
  })

  it('remembers how to group and sort', async () => {
    const { browser, jun, merle } = await scene()
    const question = await posted(jun, { status: 'a question' })
    await posted(merle, { status: 'an answer', in_reply_to_id: question.id })
    await posted(merle, { status: 'alone' })
    const sent = await browser.fill(path, { by: 'thread', order: 'most' }, { action: path })
    expect([sent.status, sent.location]).toEqual([303, `${path}?span=visit`])
    expect(await groupsOf(browser)).toEqual(['Conversation: Merle, Jun 3', 'Conversation: Merle 2'])
    await browser.fill(path, { by: 'person', order: 'most' }, { action: path })
    expect(await groupsOf(browser)).toEqual(['Merle 3', 'Jun 2'])
  })

  it('counts a post once that several followed people boosted', async () => {
    const { member, browser, jun, merle } = await scene()
    const original = await given.account()
    const reblogOfId = await storedStatus({ accountId: original.id })
    for (const { id } of [jun, merle])
      await storedStatus({ accountId: id, reblogOfId, inHomeOf: [member.id] })
    expect(await groupsOf(browser)).toEqual(['Jun 2'])
  })

  it('leaves out what filters hide and muted people', async () => {
    const { member, browser, jun, merle } = await scene()
    await posted(jun, { status: 'about football' })
    await posted(jun, { status: 'about birds' })
    await posted(merle, { status: 'muted words' })
    await as(member).post(`/api/v1/accounts/${merle.id}/mute`)
    await as(member).post('/api/v2/filters', {
      title: 'sports',
      context: ['home'],
      filter_action: 'hide',
      keywords_attributes: [{ keyword: 'football', whole_word: true }],
    })
    expect(await groupsOf(browser)).toEqual(['Jun 2'])
  })

  it('shows as many posts of a person as are there, also where one of them is by an account that blocks the member', async () => {
    const { member, browser, jun } = await scene()
    const blocker = await given.account()
    const post = await posted(blocker, { status: 'not for you' })
    await as(jun).post(`/api/v1/statuses/${post.id}/reblog`)
    await posted(jun, { status: 'for all' })
    await relation.block(blocker, member)
    const { html } = await browser.get(path)
    expect(textOf(html)).toContain('1 post')
    expect(html).not.toContain('not for you')
    expect(html).not.toContain(blocker.username)
  })

  it('goes on page by page to its end, and marks all as read there', async () => {
    const { browser, jun } = await scene()
    for (let count = 0; count < 45; count += 1) await posted(jun, { status: `number ${count};` })
    const seen: string[] = []
    let url: string | undefined = path
    let pages = 0
    let last = ''
    while (url !== undefined) {
      const { html } = await browser.get(url)
      seen.push(...[...html.matchAll(/<p>number (\d+);/g)].map(([, number]) => number ?? ''))
      last = url
      const next = /href="(\/home\/catch-up\?[^"]*max_id[^"]*)"/.exec(html)?.[1]
      url = next?.replaceAll('&amp;', '&')
      pages += 1
    }
    expect(pages).toBe(3)
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => String(44 - index)))
    const sent = await browser.fill(last, {}, { action: `${path}/read` })
    expect([sent.status, sent.location]).toEqual([303, '/home'])
    expect(await groupsOf(browser)).toEqual([])
  })

  it('reads at most five hundred rows and two trips a page, however full home is and however many are muted', async () => {
    const { member, browser, jun, merle } = await scene()
    const muted = await given.account()
    await relation.mute(member, muted)
    const original = await given.account()
    for (let count = 0; count < 300; count += 1) {
      const accountId = [muted.id, jun.id, muted.id, merle.id][count % 4] ?? jun.id
      const shared = count % 12 === 1 ? { reblogOfId: await storedStatus({ accountId: original.id }) } : {}
      await storedStatus({ accountId, ...shared, inHomeOf: [member.id] })
    }
    await browser.get(path)
    let url: string | undefined = `${path}?span=24`
    let pages = 0
    while (url !== undefined && pages < 50) {
      const { html, costs } = await browser.get(url)
      expect(costs.rowsRead).toBeLessThanOrEqual(500)
      expect(costs.trips).toBeLessThanOrEqual(2)
      url = /href="(\/home\/catch-up\?[^"]*max_id[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
      pages += 1
    }
    expect(url).toBeUndefined()
    expect(pages).toBeGreaterThan(5)
  })
})

describe('home after an absence', () => {
  it('offers the posts between the newest and the last that was read, and catch-up', async () => {
    const { member, browser, jun } = await scene()
    const first = await posted(jun, { status: 'read' })
    await readUntil(member, first.id)
    for (let count = 0; count < 21; count += 1) await posted(jun, { status: `number ${count};` })
    const { html } = await browser.get('/home')
    const [, between] = /href="(\/home\?max_id=\d+)">Load posts in between</.exec(html) ?? []
    expect(html).not.toContain('rel="next"')
    const older = await browser.get(between ?? '')
    expect(older.html).toContain('number 0;')
    expect(textOf(older.html)).toContain('You had read until here')
    expect(html.match(/href="\/home\/catch-up"/g)?.length).toBeGreaterThanOrEqual(2)
  })
})
