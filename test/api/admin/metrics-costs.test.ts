import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { dayMilliseconds, dayOf } from '../../../src/lib/days'
import { as } from '../../support/as'
import { type CrowdPost, givenCrowd } from '../../support/crowd'
import { freshName, given, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

/** Days with news, more than the longest period and the one before; statuses spread over them. */
const days = 1_500
const statuses = 24_600
const names = ['wren', 'robin', 'owl'] as const
const hosts = ['h0.test', 'h1.test', 'h2.test', 'h3.test', 'h4.test', 'h5.test'] as const
const mostRows = 400

const start = clock.now()
let mark: { readonly id: number } | undefined
let admin: TestAccount
const tagIds = new Map<string, number>()

const dateOf = (daysAgo: number) =>
  new Date(clock.now().getTime() - daysAgo * dayMilliseconds).toISOString().slice(0, 10)

beforeAll(async () => {
  clock.advance(2_000 * dayMilliseconds)
  admin = await givenStaff({ permissions: ['viewDashboard'] })
  const { db } = context()
  const last = dayOf(clock.now())
  const dayNumbers = `with recursive days(day) as (select ${last - days} union all select day + 1 from days where day < ${last})`
  // Statuses are counted as they come, as old ones are.
  ;[mark] = await db.all<{ id: number }>('select counted_before as id from status_counting')
  await db.run('update status_counting set counted_before = 9000000000000000')
  const crowd = await givenCrowd('costly', 60)
  const gap = (days * dayMilliseconds) / statuses
  const posts: CrowdPost[] = Array.from({ length: statuses }, (_, index) => ({
    at: Math.floor(clock.now().getTime() - (statuses - index) * gap),
    by: index % 60,
    tag: names[index % 3] ?? 'wren',
  }))
  for (let at = 0; at < posts.length; at += 4_100) await crowd.post(posts.slice(at, at + 4_100))
  for (const host of hosts)
    await db.run(
      `${dayNumbers} insert into domain_changes select '${host}', day, 1, 2, 3, 4, 5, 'en' from days`,
    )
  await db.run(`${dayNumbers} insert into active_days (day, users, sketch, servers)
    select day, 5, hex(zeroblob(1024)), '{"h0.test":3}' from days where true on conflict do nothing`)
  for (const name of [
    'registrations',
    'interactions',
    'openedReports',
    'resolvedReports',
    'source/0',
    'source/7',
  ])
    await db.run(`${dayNumbers} insert into day_changes select 0, '${name}', day * 86400000, 2 from days`)
  await db.run(`${dayNumbers} insert into media_attachments (id, account_id, type, mime, file_key, size_bytes, created_at)
    select day, ${admin.id}, 'image', 'image/png', 'x', 10, day * 86400000 from days`)
  for (const { id, name } of await db.all<{ id: number; name: string }>('select id, name from tags'))
    tagIds.set(name, id)
}, 240_000)
afterAll(async () => {
  clock.set(start)
  await context().db.run(`update status_counting set counted_before = ${mark?.id ?? 0}`)
})

const tag = (name: (typeof names)[number]) => ({ id: String(tagIds.get(name)) })
const from = (daysAgo: number) => ({ start_at: dateOf(daysAgo), end_at: dateOf(0) })
const Figures = z.array(z.looseObject({ key: z.string(), total: z.string().optional() }))

const everyMeasure = {
  keys: [
    'active_users',
    'new_users',
    'interactions',
    'opened_reports',
    'resolved_reports',
    'tag_accounts',
    'tag_uses',
    'tag_servers',
    'instance_accounts',
    'instance_media_attachments',
    'instance_reports',
    'instance_statuses',
    'instance_follows',
    'instance_followers',
  ],
  instance_accounts: { domain: hosts[0] },
  instance_media_attachments: { domain: 'fieldfare.test' },
  instance_reports: { domain: hosts[1] },
  instance_statuses: { domain: hosts[2] },
  instance_follows: { domain: hosts[3] },
  instance_followers: { domain: hosts[4] },
}
const everyDimension = {
  keys: [
    'languages',
    'sources',
    'servers',
    'space_usage',
    'software_versions',
    'tag_servers',
    'tag_languages',
    'instance_accounts',
    'instance_languages',
  ],
  limit: 100,
  instance_accounts: { domain: 'costly.test' },
  instance_languages: { domain: hosts[5] },
}
const ofTags = () => ({
  tag_accounts: tag('wren'),
  tag_uses: tag('robin'),
  tag_servers: tag('owl'),
  tag_languages: tag('wren'),
})

async function ask(what: string, body: Readonly<Record<string, unknown>>) {
  const answer = await as(admin).post(`/api/v1/admin/${what}`, body)
  expect(answer.status).toBe(200)
  return answer
}

describe(`among ${statuses} statuses of ${days} days`, () => {
  it.each([
    ['measures', 30],
    ['measures', 95],
    ['measures', 366],
    ['measures', 10_000],
    ['dimensions', 95],
    ['dimensions', 10_000],
  ] as const)('reading all %s of %i days at once is bounded', async (what, daysAgo) => {
    const every = what === 'measures' ? everyMeasure : everyDimension
    const { body, costs } = await ask(what, { ...every, ...ofTags(), ...from(daysAgo) })
    expect(Figures.parse(body).map(({ key }) => key)).toEqual(every.keys)
    expect(costs.rowsRead).toBeLessThanOrEqual(mostRows)
    expect(costs.trips).toBeLessThanOrEqual(2)
  })

  it('a repeated key counts once', async () => {
    const keys = Array.from({ length: 100 }, () => 'tag_uses')
    const { body, costs } = await ask('measures', { keys, ...ofTags(), ...from(365) })
    expect(Figures.parse(body)).toHaveLength(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(80)
  })

  it.each(['day', 'month'])('reading retention by %s is bounded', async (frequency) => {
    const { costs } = await ask('retention', { ...from(10_000), frequency })
    expect(costs.rowsRead).toBeLessThanOrEqual(160)
  })

  it('counters match the stored statuses', async () => {
    const { body } = await ask('measures', {
      keys: ['tag_uses', 'tag_accounts', 'tag_servers', 'instance_statuses', 'instance_media_attachments'],
      ...ofTags(),
      tag_uses: tag('wren'),
      tag_servers: tag('wren'),
      instance_statuses: { domain: 'costly.test' },
      instance_media_attachments: { domain: 'fieldfare.test' },
      ...from(99),
    })
    const first = (dayOf(clock.now()) - 99) * dayMilliseconds
    const [counted] = await context().db.all<Record<string, number>>(`select count(*) as uses,
      count(distinct s.account_id) as accounts from status_tags t join statuses s on s.id = t.status_id
      where t.tag_id = ${tagIds.get('wren')} and s.created_at >= ${first}`)
    const totals = new Map(Figures.parse(body).map(({ key, total }) => [key, Number(total)]))
    expect(Object.fromEntries(totals)).toEqual({
      tag_uses: counted?.['uses'],
      tag_accounts: counted?.['accounts'],
      tag_servers: 1,
      instance_statuses: statuses,
      instance_media_attachments: 10 * (days + 1),
    })
  })
})

describe('languages', () => {
  const languages = async (daysAgo: number) => {
    const { body, costs } = await ask('dimensions', { keys: ['languages'], limit: 80, ...from(daysAgo) })
    expect(costs.rowsRead).toBeLessThanOrEqual(60)
    const [{ data }] = z
      .tuple([z.object({ data: z.array(z.object({ key: z.string(), value: z.string() })) })])
      .parse(body)
    return Object.fromEntries(data.map(({ key, value }) => [key, Number(value)]))
  }

  it('languages count each user once, on the day of the last activity, in the current language', async () => {
    const alice = await given.account({ user: { locale: 'sw' } })
    const { db } = context()
    expect(await languages(0)).toMatchObject({ sw: 1 })
    clock.advance(3 * dayMilliseconds)
    await as(admin).get('/api/v1/accounts/verify_credentials')
    expect(await languages(2)).not.toHaveProperty('sw')
    expect(await languages(3)).toMatchObject({ sw: 1 })
    await as(alice).get('/api/v1/accounts/verify_credentials')
    expect([await languages(0), await languages(3)]).toMatchObject([{ sw: 1 }, { sw: 1 }])
    await db.run(`update users set locale = 'eo' where account_id = ${alice.id}`)
    expect(await languages(3)).toMatchObject({ eo: 1 })
    expect(await languages(3)).not.toHaveProperty('sw')
    await db.run(`delete from users where account_id = ${alice.id}`)
    expect(await languages(3)).not.toHaveProperty('eo')
  })

  it('languages do not grow with users', async () => {
    const { db, ids } = context()
    const id = ids.next()
    const many = `json_each('${JSON.stringify(Array.from({ length: 2_500 }, (_, index) => index))}')`
    const prefix = freshName('many')
    const now = clock.now().getTime()
    await db.run(`insert into accounts (id, username, created_at, updated_at)
      select ${id} + 1 + value, '${prefix}' || value, ${now}, ${now} from ${many}`)
    await db.run(`insert into users (account_id, email, password_hash, locale, last_active_at, created_at)
      select ${id} + 1 + value, '${prefix}' || value || '@mail.test', 'none', 'yo', ${now}, ${now} from ${many}`)
    expect(await languages(30)).toMatchObject({ yo: 2_500 })
  })
})
