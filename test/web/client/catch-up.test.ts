import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { as, posted } from '../../support/as'
import { type Browser, type Page, textOf } from '../../support/browser'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { type StoredOptions, storedStatus } from '../../support/given-stored'
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
    (one) => `${one.split('"')[0]} ${(one.split('</section>')[0]?.split('<article').length ?? 0) - 1}`,
  )
}

interface Walked {
  readonly path: string
  readonly html: string
  readonly names: readonly string[]
  /** The page, behind the answers that led to it. */
  readonly answers: readonly Page[]
}

/** Names of the sections of a page. */
function namesIn(html: string): readonly string[] {
  return [...html.matchAll(/<section aria-label="([^"]*)"/g)].map(([, name = '']) => name)
}

/** Ids of the entries of a page. */
function idsIn(html: string): readonly number[] {
  return [...html.matchAll(/<article[^>]* id="p-(\d+)"/g)].map(([, id]) => Number(id))
}

/** Numbers that the posts of a page are about. */
function numbersIn(html: string): readonly number[] {
  return [...html.matchAll(/<p>number (\d+);/g)].map(([, number]) => Number(number))
}

/** The pages of catch-up from first to last. */
async function walk(browser: Browser, from = path): Promise<readonly Walked[]> {
  const pages: Walked[] = []
  let url: string | undefined = from
  let answers: Page[] = []
  while (url !== undefined && pages.length < 60) {
    const page: Page = await browser.get(url)
    answers.push(page)
    if (page.location !== null) {
      url = page.location
      continue
    }
    expect(page.status).toBe(200)
    pages.push({ path: url, html: page.html, names: namesIn(page.html), answers })
    answers = []
    url = /href="(\/home\/catch-up\?[^"]*plan=[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(url).toBeUndefined()
  return pages
}

/** Ids of accounts that the member follows, which are called by their numbers. */
async function followed(member: TestAccount, count: number): Promise<(index: number) => number> {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) {
    const { id } = await given.account({ displayName: `Person ${index}` })
    await relation.follow(member, { id })
    ids.push(id)
  }
  return (index) => ids[index % count] ?? 0
}

/** Entries of the home of a member, from the oldest. */
async function entries(
  { id }: TestAccount,
  count: number,
  of: (index: number) => StoredOptions,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1)
    ids.push(await storedStatus({ ...of(index), inHomeOf: [id] }))
  return ids
}

describe('catch-up', () => {
  it('catch-up shows what was not read by person, and ends', async () => {
    const { member, browser, jun, merle } = await scene()
    const seen = await posted(jun, { status: 'seen already' })
    await readUntil(member, seen.id)
    await posted(jun, { status: 'one' })
    await posted(merle, { status: 'two' })
    await posted(jun, { status: 'three' })
    expect(await groupsOf(browser)).toEqual(['Jun 2', 'Merle 1'])
    const text = textOf((await browser.get(path)).html)
    expect(text).not.toContain('seen already')
    expect(text).toContain('That’s all')
  })

  it('catch-up goes back as many hours as chosen, and not behind what was read', async () => {
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

  it('catch-up remembers how to group and sort', async () => {
    const { browser, jun, merle } = await scene()
    const question = await posted(jun, { status: 'a question' })
    await posted(merle, { status: 'an answer', in_reply_to_id: question.id })
    await posted(merle, { status: 'alone' })
    const sent = await browser.fill(path, { by: 'thread', order: 'most' }, { action: path })
    expect([sent.status, sent.location]).toEqual([303, `${path}?span=visit`])
    expect(await groupsOf(browser)).toEqual(['Conversation: Merle, Jun 2', 'Conversation: Merle 1'])
    await browser.fill(path, { by: 'person', order: 'most' }, { action: path })
    expect(await groupsOf(browser)).toEqual(['Merle 2', 'Jun 1'])
  })

  it('catch-up counts a post once that several followed people boosted', async () => {
    const { member, browser, jun, merle } = await scene()
    const original = await given.account()
    const reblogOfId = await storedStatus({ accountId: original.id })
    for (const { id } of [jun, merle])
      await storedStatus({ accountId: id, reblogOfId, inHomeOf: [member.id] })
    expect(await groupsOf(browser)).toEqual(['Jun 1'])
  })

  it('catch-up leaves out what the member posted and boosted', async () => {
    const { member, browser, jun } = await scene()
    const status = await posted(jun, { status: 'By Jun' })
    await posted(member, { status: 'By the member' })
    await as(member).post(`/api/v1/statuses/${status.id}/reblog`)
    expect(await groupsOf(browser)).toEqual(['Jun 1'])
  })

  it('catch-up leaves out what filters hide and muted people', async () => {
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
    expect(await groupsOf(browser)).toEqual(['Jun 1'])
  })

  it('catch-up shows as many posts of a person as are there, also where one of them is by an account that blocks the member', async () => {
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

  it('catch-up goes on page by page to its end, and marks all as read there', async () => {
    const { browser, jun } = await scene()
    for (let count = 0; count < 45; count += 1) await posted(jun, { status: `number ${count};` })
    const pages = await walk(browser)
    expect(pages.map(({ names }) => names)).toEqual(Array.from({ length: 5 }, () => ['Jun']))
    expect(pages.flatMap(({ html }) => numbersIn(html))).toEqual(
      Array.from({ length: 45 }, (_, index) => 44 - index),
    )
    const last = pages.at(-1)
    expect(textOf(last?.html ?? '')).toContain('That’s all')
    const sent = await browser.fill(last?.path ?? '', {}, { action: `${path}/read` })
    expect([sent.status, sent.location]).toEqual([303, '/home'])
    expect(await groupsOf(browser)).toEqual([])
  })

  it('catch-up shows all posts of a person together, however far apart they are, and each of them once', async () => {
    const { member, browser } = await scene()
    const people = await followed(member, 5)
    const ids = await entries(member, 250, (index) => ({ accountId: people(index) }))
    const pages = await walk(browser)
    const names = pages.flatMap((one) => one.names)
    // A name stands again only where its posts go on from the page before.
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual(
      [4, 3, 2, 1, 0].map((index) => `Person ${index}`),
    )
    const shown = pages.flatMap(({ html }) => idsIn(html))
    expect(shown).toEqual([4, 3, 2, 1, 0].flatMap((of) => ids.filter((_, at) => at % 5 === of).toReversed()))
  })

  it('catch-up puts the person with most posts of the whole span first, also where these are the oldest', async () => {
    const { member, browser } = await scene()
    const people = await followed(member, 31)
    await browser.fill(path, { by: 'person', order: 'most' }, { action: path })
    await entries(member, 40, () => ({ accountId: people(30) }))
    await entries(member, 90, (index) => ({ accountId: people(index % 30) }))
    const [first] = await walk(browser)
    expect(first?.names).toEqual(['Person 30'])
  })

  it('catch-up counts a post once over the whole span, where it is oldest', async () => {
    const { member, browser, jun, merle } = await scene()
    const reblogOfId = await storedStatus({ accountId: (await given.account()).id })
    const [oldest] = await entries(member, 1, () => ({ accountId: jun.id, reblogOfId }))
    await entries(member, 220, () => ({ accountId: jun.id }))
    await entries(member, 1, () => ({ accountId: merle.id, reblogOfId }))
    const pages = await walk(browser)
    expect(pages.flatMap(({ names }) => names)).not.toContain('Merle')
    expect(pages.flatMap(({ html }) => idsIn(html)).filter((id) => id === oldest)).toHaveLength(1)
  })

  it('catch-up shows all posts of a conversation together', async () => {
    const { member, browser, jun, merle } = await scene()
    await browser.fill(path, { by: 'thread', order: 'newest' }, { action: path })
    const question = await posted(jun, { status: 'a question' })
    await entries(member, 120, () => ({ accountId: jun.id }))
    await posted(merle, { status: 'an answer', in_reply_to_id: question.id })
    const [first] = await walk(browser)
    expect(first?.names[0]).toBe('Conversation: Merle, Jun')
    expect(textOf(first?.html ?? '')).toMatch(/2 posts.*an answer.*a question/)
  })

  it('a form of a post leads back to its page by a short address, however much is left', async () => {
    const { member, browser } = await scene()
    const people = await followed(member, 5)
    await entries(member, 250, (index) => ({ accountId: people(index) }))
    const [, second] = await walk(browser)
    const [, way = ''] =
      /name="return_to" value="(\/home\/catch-up[^"#]*)/.exec(second?.html.split('<section')[1] ?? '') ?? []
    expect(way.length).toBeLessThan(120)
    expect(second?.path.length).toBeGreaterThan(1_000)
    await entries(member, 3, (index) => ({ accountId: people(index) }))
    const [again] = await walk(browser, way.replaceAll('&amp;', '&'))
    expect(idsIn(again?.html ?? '')).toEqual(idsIn(second?.html ?? ''))
    expect(gzipSync(second?.html ?? '').byteLength).toBeLessThanOrEqual(12 * 1024)
    expect(second?.html.length).toBeLessThan(100_000)
  })

  it('catch-up passes over any number of replies that the member does not want at home', async () => {
    const { member, browser, jun } = await scene()
    const [wanted] = await entries(member, 1, () => ({ accountId: jun.id }))
    await entries(member, 210, () => ({
      accountId: jun.id,
      inReplyToUri: 'https://elsewhere.test/statuses/1',
    }))
    await browser.fill('/home', { boosts: 'true', quotes: 'true' }, { action: '/home' })
    const pages = await walk(browser)
    expect(pages.flatMap(({ html }) => idsIn(html))).toEqual([wanted])
  })

  it('an address keeps its groups when the choice changes, and shows no entry of another home', async () => {
    const { member, browser, jun, merle } = await scene()
    const other = await scene()
    const [hidden] = await entries(other.member, 1, () => ({
      accountId: merle.id,
      content: '<p>of another home</p>',
    }))
    await entries(member, 25, () => ({ accountId: jun.id }))
    const next = (await walk(browser))[1]?.path ?? ''
    await browser.fill(path, { by: 'thread', order: 'most' }, { action: path })
    expect(namesIn((await browser.get(next)).html)).toEqual(['Jun'])
    const query = new URLSearchParams(next.split('?')[1])
    const newest = Number(query.get('newest'))
    const forged = (values: Record<string, string>) =>
      walk(
        browser,
        `${path}?${new URLSearchParams({ span: '24', by: 'person', newest: String(newest), ...values })}`,
      )
    const [stranger] = await forged({ plan: `-${(newest - (hidden ?? 0)).toString(36)}` })
    expect([stranger?.names, stranger?.html.includes('of another home')]).toEqual([[], false])
    for (const values of [
      { plan: 'x y' },
      { plan: '-zzzzzzzzzzz' },
      { found: '-1', below: '9' },
      { found: '', below: 'x' },
    ])
      expect([values, (await forged(values)).flatMap(({ html }) => idsIn(html)).length]).toEqual([values, 25])
  })

  it('catch-up reads at most five hundred rows and two trips an answer, however full home is and however many are muted', async () => {
    const { member, browser, jun, merle } = await scene()
    const muted = await given.account()
    await relation.mute(member, muted)
    const original = await given.account()
    for (const by of ['person', 'thread']) await browser.fill(path, { by, order: 'most' }, { action: path })
    let originals = 0
    for (let count = 0; count < 400; count += 1) {
      const accountId = [muted.id, jun.id, muted.id, merle.id][count % 4] ?? jun.id
      const isBoost = count % 3 === 1
      const shared = isBoost ? { reblogOfId: await storedStatus({ accountId: original.id }) } : {}
      originals += isBoost ? 1 : 0
      await storedStatus({ accountId, ...shared, inHomeOf: [member.id] })
    }
    await browser.get(path)
    const pages = await walk(browser, `${path}?span=24`)
    for (const { costs } of pages.flatMap(({ answers }) => answers)) {
      expect(costs.rowsRead).toBeLessThanOrEqual(500)
      expect(costs.trips).toBeLessThanOrEqual(2)
      expect(costs.rowsWritten).toBe(0)
    }
    expect(originals).toBeGreaterThan(100)
    expect(pages[0]?.answers.length).toBeLessThanOrEqual(6)
    for (const { html } of pages) expect(gzipSync(html).byteLength).toBeLessThanOrEqual(25 * 1024)
    expect(pages.flatMap(({ html }) => idsIn(html))).toHaveLength(200)
  })
})

describe('home after an absence', () => {
  it('home after an absence offers the posts between the newest and the last that was read, and catch-up', async () => {
    const { member, browser, jun } = await scene()
    const first = await posted(jun, { status: 'read' })
    await readUntil(member, first.id)
    for (let count = 0; count < 21; count += 1) await posted(jun, { status: `number ${count};` })
    const { html } = await browser.get('/home')
    const [, between] = /href="(\/home\?max_id=\d+)" data-gap[^>]*>Load posts in between</.exec(html) ?? []
    expect(html).not.toContain('rel="next"')
    const older = await browser.get(between ?? '')
    expect(older.html).toContain('number 0;')
    expect(textOf(older.html)).toContain('You had read until here')
    expect(html.match(/href="\/home\/catch-up"/g)?.length).toBeGreaterThanOrEqual(2)
  })
})
