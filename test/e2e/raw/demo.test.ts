import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fillDemo } from '../../../scripts/demo.mjs'
import { setup } from '../../../scripts/lib/server.mjs'
import { moderate } from '../support/administer'
import { freePort, type Instance, startInstance } from '../support/instance'
import { Visitor } from '../support/visitor'

const Token = z.object({ token: z.string() })
const Statuses = z.array(
  z.object({
    id: z.string(),
    account: z.object({ username: z.string() }),
    reblog: z.object({ id: z.string() }).nullable(),
  }),
)
const Account = z.object({
  display_name: z.string(),
  avatar: z.string(),
  header: z.string(),
  statuses_count: z.number(),
  followers_count: z.number(),
  following_count: z.number(),
})
const Post = z.object({
  content: z.string(),
  replies_count: z.number(),
  reblogs_count: z.number(),
  favourites_count: z.number(),
  media_attachments: z.array(z.object({ description: z.string() })),
  poll: z.object({ votes_count: z.number() }).nullable(),
})

/** Counts of everything a second run could double. */
async function census(origin: string) {
  const get = async (path: string): Promise<unknown> => (await fetch(`${origin}${path}`)).json()
  const names = ['merle', 'tomasz', 'ines', 'jun', 'petra', 'saoirse', 'bertil', 'amara']
  const accounts = names.map((name) => get(`/api/v1/accounts/lookup?acct=${name}`))
  const posts = await get('/api/v1/timelines/public?local=true&limit=40')
  return { accounts: z.array(Account).parse(await Promise.all(accounts)), posts: z.array(Post).parse(posts) }
}

const Reports = z.array(
  z.object({
    id: z.string(),
    category: z.string(),
    comment: z.string(),
    action_taken: z.boolean(),
    statuses: z.array(z.object({ content: z.string() })),
    rules: z.array(z.object({ text: z.string() })),
    target_account: z.object({ username: z.string() }),
  }),
)
const Trend = z.object({
  key: z.string(),
  of: z.string().nullable(),
  shown: z.boolean(),
  reviewed: z.boolean(),
})
const Trends = z.object({ tags: z.array(Trend), statuses: z.array(Trend), links: z.array(Trend) })
const Queue = z.object({
  reports: Reports,
  resolved: Reports,
  waiting: z.array(z.object({ username: z.string(), invite_request: z.string() })),
  appeals: z.array(z.object({ text: z.string() })),
  announcements: z.array(z.object({ text: z.string(), published_at: z.string() })),
  notes: z.array(z.object({ content: z.string() })),
  publishers: z.array(z.object({ domain: z.string(), trendable: z.boolean().nullable() })),
  trends: Trends,
})

const Measures = z.array(z.object({ total: z.string(), data: z.array(z.object({ value: z.string() })) }))
const Cohorts = z.array(z.object({ data: z.array(z.object({ rate: z.number() })) }))
const Dated = z.array(z.object({ created_at: z.string() }))

/** The date `days` before an instant. */
const dateBefore = (at: number, days: number) => new Date(at - days * 86_400_000).toISOString().slice(0, 10)

/** A site that answers at every address. Previews are fetched by https alone, so its pages have none. */
async function openSite(port: number): Promise<Server> {
  const site = createServer((_request, response) => response.end('Long and good'))
  await new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve))
  return site
}

describe('npm start -- --demo', () => {
  let instance: Instance
  let site: Server
  let pages: { readonly allowed: string; readonly waiting: string }
  const server = () => ({ origin: instance.origin, secrets: { SETUP_TOKEN: instance.setupToken } })
  const order = async (path: string, body: object = {}): Promise<unknown> => {
    const answer = await setup(server(), 'POST', path, body)
    expect(answer.status, path).toBe(200)
    return answer.body
  }

  /** Decisions that wait for the owner, and those that were taken. */
  async function queue() {
    const token = z
      .object({ token: z.string() })
      .parse(await order('tokens/create', { username: 'owner', scopes: ['admin:read'] })).token
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${instance.origin}${path}`, { headers: { Authorization: `Bearer ${token}` } })).json()
    const reports = Reports.parse(await read('/api/v1/admin/reports'))
    const notes = reports.map(({ id }) => read(`/api/fieldfare/v1/admin/reports/${id}/notes`))
    return Queue.parse({
      reports,
      resolved: await read('/api/v1/admin/reports?resolved=true'),
      waiting: await read('/api/v2/admin/accounts?status=pending'),
      appeals: await read('/api/fieldfare/v1/admin/appeals'),
      announcements: await read('/api/fieldfare/v1/admin/announcements'),
      notes: (await Promise.all(notes)).flat(),
      publishers: await read('/api/v1/admin/trends/links/publishers'),
      trends: await read('/api/fieldfare/v1/admin/trends'),
    })
  }

  beforeAll(async () => {
    const port = await freePort()
    pages = { allowed: `http://127.0.0.1:${port}/one`, waiting: `http://127.0.0.1:${port}/two` }
    site = await openSite(port)
    instance = await startInstance({})
    await fillDemo(server(), { pages, folder: instance.folder })
  })
  afterAll(async () => {
    site.close()
    await instance.close()
  })

  it('creates accounts with avatars who follow each other, pictures, a poll and threads', async () => {
    const { accounts, posts } = await census(instance.origin)
    expect(accounts.filter(({ avatar, header }) => `${avatar}${header}`.includes('/assets/'))).toEqual([])
    expect(
      accounts.every(({ followers_count, statuses_count }) => followers_count > 1 && statuses_count > 2),
    ).toBe(true)
    expect(posts.filter(({ media_attachments }) => media_attachments.length > 0).length).toBeGreaterThan(3)
    expect(posts.map(({ poll }) => poll?.votes_count ?? 0)).toContain(7)
    expect(posts.some(({ replies_count }) => replies_count > 0)).toBe(true)
  })

  it('fills the home timeline of the owner', async () => {
    const { body } = await setup(server(), 'POST', 'account', { username: 'owner' })
    const headers = { Authorization: `Bearer ${Token.parse(body).token}` }
    const home = await fetch(`${instance.origin}/api/v1/timelines/home?limit=40`, { headers })
    const shown = Statuses.parse(await home.json())
    expect(shown.length).toBeGreaterThan(20)
    expect(new Set(shown.map(({ account }) => account.username))).toContain('merle')
    // A reblog of a status that is already in the timeline does not repeat it.
    const posts = shown.map(({ id, reblog }) => reblog?.id ?? id)
    expect(posts).toEqual([...new Set(posts)])
  })

  it('leaves the owner accounts to discover', async () => {
    const { body } = await setup(server(), 'POST', 'account', { username: 'owner' })
    const headers = { Authorization: `Bearer ${Token.parse(body).token}` }
    const self = await fetch(`${instance.origin}/api/v1/accounts/verify_credentials`, { headers })
    expect(Account.parse(await self.json()).following_count).toBe(4)
  })

  it('shows visitors every account and every public post', async () => {
    const visitor = new Visitor(instance.origin)
    const directory = await visitor.open('/directory')
    for (const name of ['merle', 'tomasz', 'ines', 'jun', 'petra', 'saoirse', 'bertil', 'amara'])
      expect(directory.text).toContain(`@${name}`)
    const texts: string[] = []
    for (let next: string | undefined = '/public/local'; next !== undefined; ) {
      const page = await visitor.open(next)
      texts.push(page.text)
      next = /\/public\/local\?max_id=\d+/.exec(page.html)?.[0]
    }
    const read = texts.join(' ')
    for (const text of [
      'Expect beans',
      'eighteen hours',
      'dining car',
      'trampoline',
      'forty guests',
      pages.waiting.slice(7),
    ])
      expect(read).toContain(text)
    expect(read).not.toContain('WATCHES')
  })

  it('fills the moderation queue of the owner', async () => {
    const { reports, resolved, waiting, appeals, announcements, notes } = await queue()
    expect(resolved).toEqual([])
    const spam = reports.find(({ category }) => category === 'spam')
    expect(spam?.target_account.username).toBe('bargains')
    expect(spam?.statuses).toHaveLength(2)
    const broken = reports.find(({ category }) => category === 'violation')
    expect(broken?.rules.map(({ text }) => text)).toEqual(['No exact places of nests'])
    expect(broken?.statuses.map(({ content }) => content)).toEqual([expect.stringContaining('kingfisher')])
    expect(reports).toHaveLength(2)
    expect(notes).toEqual([{ content: expect.stringContaining('Asked Saoirse') }])
    expect(waiting).toEqual([{ username: 'wilhelmina', invite_request: expect.stringContaining('beans') }])
    expect(appeals).toEqual([{ text: expect.stringContaining('Every loaf') }])
    expect(announcements).toHaveLength(1)
  })

  it('the demo has trends, and others pending review', async () => {
    const { trends, publishers } = await queue()
    const { tags, statuses } = trends
    const names = (list: typeof tags, shown: boolean) =>
      list.filter((trend) => trend.shown === shown).map(({ key, of }) => of ?? key)
    expect(names(tags, true).toSorted()).toEqual(['birding', 'introduction'])
    expect(names(tags, false)).toContain('communitykitchen')
    expect(names(statuses, true).toSorted()).toEqual(['amara', 'merle', 'tomasz'])
    expect(names(statuses, false)).toContain('petra')
    const { text } = await new Visitor(instance.origin).open('/explore')
    for (const shown of ['#introduction', '#birding', 'A redwing ringed']) expect(text).toContain(shown)
    expect(publishers).toEqual([{ domain: '127.0.0.1', trendable: true }])
  })

  it('the demo has a past of sixty days, shown in statistics and timelines', async () => {
    const { token } = Token.parse(await order('tokens/create', { username: 'owner', scopes: ['admin:read'] }))
    const ask = async (path: string, body: object): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${instance.origin}/api/v1/admin/${path}`, request)).json()
    }
    const today = Date.now()
    const period = { start_at: dateBefore(today, 59), end_at: dateBefore(today, 0) }
    const keys = ['new_users', 'active_users', 'interactions']
    const measures = Measures.parse(await ask('measures', { keys, ...period }))
    const busyDays = measures.map(({ data }) => data.filter(({ value }) => Number(value) > 0).length)
    expect(measures.map(({ data }) => data.length)).toEqual([60, 60, 60])
    for (const [index, least] of [5, 50, 20].entries()) expect(busyDays[index]).toBeGreaterThanOrEqual(least)
    expect(Number(measures[1]?.total)).toBeLessThanOrEqual(12)
    const cohorts = Cohorts.parse(await ask('retention', { frequency: 'month', ...period }))
    const rates = cohorts.flatMap(({ data }) => data.map(({ rate }) => rate))
    expect(cohorts[0]?.data.filter(({ rate }) => rate > 0).length).toBeGreaterThanOrEqual(2)
    expect(Math.max(...rates)).toBeLessThanOrEqual(1)

    const posts: string[] = []
    for (let next: string | null = '/api/v1/timelines/public?local=true&limit=40'; next !== null; ) {
      const page: Response = await fetch(instance.origin + next)
      posts.push(...Dated.parse(await page.json()).map(({ created_at }) => created_at))
      next = /max_id=(\d+)[^>]*>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null
      next = next === null ? null : `/api/v1/timelines/public?local=true&limit=40&max_id=${next}`
    }
    expect(posts).toEqual(posts.toSorted().toReversed())
    expect(new Set(posts.map((at) => at.slice(0, 10))).size).toBeGreaterThan(20)
    const [newest = '', oldest = ''] = [posts[0], posts.at(-1)]
    expect((Date.parse(newest) - Date.parse(oldest)) / 86_400_000).toBeGreaterThan(50)
  })

  it('changes nothing when it runs again, and keeps decisions', async () => {
    const before = await census(instance.origin)
    const { reports } = await queue()
    for (const { id } of reports) await order(`/api/v1/admin/reports/${id}/resolve`)
    await moderate(server(), 'wilhelmina', ['reject'])
    await order('/api/fieldfare/v1/admin/trends/review', { what: 'tag', key: 'birding', trendable: false })
    const decided = await queue()
    expect(decided.resolved).toHaveLength(2)
    await fillDemo(server(), { pages, folder: instance.folder })
    expect(await census(instance.origin)).toEqual(before)
    expect(await queue()).toEqual(decided)
  })
})
