import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { reports } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import { countServers } from '../../../src/domain/servers/count'
import { createMember } from '../../../src/domain/users/provision'
import { addMember } from '../../../src/domain/users/sign-up'
import { dayMilliseconds } from '../../../src/lib/days'
import type { ApplicationId } from '../../../src/lib/ids'
import { as } from '../../support/as'
import { countStatuses } from '../../support/count-statuses'
import { freshName, given, type TestAccount } from '../../support/given'
import { upload } from '../../support/given-media'
import { relation } from '../../support/given-relationships'
import { givenStaff } from '../../support/given-staff'
import { storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const Measure = z.object({
  key: z.string(),
  unit: z.string().nullable(),
  total: z.string(),
  human_value: z.string().optional(),
  previous_total: z.string().optional(),
  data: z.array(z.object({ date: z.string(), value: z.string() })),
})
const Dimension = z.object({
  key: z.string(),
  data: z.array(
    z.object({
      key: z.string(),
      human_key: z.string().nullable(),
      value: z.string(),
      unit: z.string().optional(),
      human_value: z.string().optional(),
    }),
  ),
})
const Cohort = z.object({
  period: z.string(),
  frequency: z.string(),
  data: z.array(z.object({ date: z.string(), rate: z.number(), value: z.string() })),
})

let admin: TestAccount
const start = clock.now()
beforeAll(async () => {
  // Days that no other file counts on.
  clock.advance(1_000 * dayMilliseconds)
  admin = await givenStaff({ permissions: ['viewDashboard'] })
})

// The clock is shared with the files that run after this one.
afterAll(() => clock.set(start))

const today = () => clock.now().toISOString().slice(0, 10)
const daysAgo = (days: number) =>
  new Date(clock.now().getTime() - days * dayMilliseconds).toISOString().slice(0, 10)

type Body = Readonly<Record<string, unknown>>

async function ask(what: 'measures' | 'dimensions' | 'retention', body: Body) {
  return as(admin).post(`/api/v1/admin/${what}`, body)
}

/** A measure of today alone: its total, and the value of the day. */
async function measured(key: string, subject: Body = {}) {
  const { body, costs } = await ask('measures', {
    keys: [key],
    start_at: today(),
    end_at: today(),
    [key]: subject,
  })
  const [measure] = z.tuple([Measure]).parse(body)
  expect(measure.key).toBe(key)
  // The first request of a day records that the moderator is active.
  expect(costs.trips).toBeLessThanOrEqual(2)
  return { ...measure, total: Number(measure.total), today: Number(measure.data.at(-1)?.value) }
}

/** Increase of a measure of today by `happen`. */
async function added(key: string, happen: () => Promise<unknown>, subject: Body = {}) {
  const before = await measured(key, subject)
  await happen()
  const after = await measured(key, subject)
  return { total: after.total - before.total, today: after.today - before.today }
}

async function dimension(key: string, body: Body = {}) {
  const answer = await ask('dimensions', { keys: [key], start_at: today(), end_at: today(), ...body })
  return z.tuple([Dimension]).parse(answer.body)[0].data
}

const report = async (target: { readonly id: number }) => {
  const reporter = await given.account()
  return as(reporter).post('/api/v1/reports', { account_id: String(target.id) })
}

/** A remote account on a host of its own. */
async function remote() {
  const host = `${freshName('far')}.test`
  return { host, account: await given.remoteAccount({ domain: host }) }
}

describe('measures of the server', () => {
  it('measures of the server count new members by day [T-872]', async () => {
    const join = () => createMember(context(), { username: freshName('joins') })
    expect(await added('new_users', async () => [await join(), await join()])).toEqual({ total: 2, today: 2 })
  })

  it('measures of the server count active users once a day, and once in a longer period', async () => {
    clock.advance(3 * dayMilliseconds)
    const [alice, bob] = [await given.account(), await given.account()]
    clock.advance(dayMilliseconds)
    const visit = (who: TestAccount) => as(who).get('/api/v1/accounts/verify_credentials')
    await visit(admin)
    expect(
      await added('active_users', async () => {
        for (const who of [alice, bob, alice]) await visit(who)
      }),
    ).toEqual({ total: 2, today: 2 })
    clock.advance(dayMilliseconds)
    for (const who of [admin, alice]) await visit(who)
    const { body } = await ask('measures', { keys: ['active_users'], start_at: daysAgo(1), end_at: today() })
    const [measure] = z.tuple([Measure]).parse(body)
    // The moderator was active on both days as well.
    expect(measure.data.map(({ value }) => value)).toEqual(['3', '2'])
    expect(measure.total).toBe('3')
  })

  it('measures of the server count favourites, reblogs and replies of members as interactions', async () => {
    const [author, fan] = [await given.account(), await given.account()]
    const status = await given.status({ by: author })
    const act = async () => {
      await as(fan).post(`/api/v1/statuses/${status.id}/favourite`)
      await as(fan).post(`/api/v1/statuses/${status.id}/favourite`)
      await as(fan).post(`/api/v1/statuses/${status.id}/reblog`)
      for (const visibility of ['public', 'private', 'direct'])
        await as(fan).post('/api/v1/statuses', {
          status: `@${author.username} yes`,
          in_reply_to_id: String(status.id),
          visibility,
        })
      // Neither a post by itself nor an answer to oneself.
      await as(author).post('/api/v1/statuses', { status: 'more', in_reply_to_id: String(status.id) })
      await as(author).post('/api/v1/statuses', { status: 'something else' })
    }
    expect(await added('interactions', act)).toEqual({ total: 5, today: 5 })
  })

  it('measures of the server count opened and resolved reports, less the reopened ones', async () => {
    const target = await given.account()
    expect(await added('opened_reports', () => report(target))).toEqual({ total: 1, today: 1 })
    const { db } = context()
    const decide = (at: Date | null) => db.update(reports).set({ actionTakenAt: at })
    await decide(null)
    await report(target)
    const resolved = await measured('resolved_reports')
    await decide(clock.now())
    const after = await measured('resolved_reports')
    expect(after.total).toBeGreaterThanOrEqual(resolved.total + 2)
    await decide(null)
    expect((await measured('resolved_reports')).total).toBe(resolved.total)
  })

  it('compare with the previous period, which shares a day with it', async () => {
    clock.advance(40 * dayMilliseconds)
    await createMember(context(), { username: freshName('joins') })
    clock.advance(5 * dayMilliseconds)
    await createMember(context(), { username: freshName('joins') })
    clock.advance(5 * dayMilliseconds)
    const { body } = await ask('measures', { keys: ['new_users'], start_at: daysAgo(5), end_at: today() })
    const [measure] = z.tuple([Measure]).parse(body)
    expect(measure).toMatchObject({ total: '1', previous_total: '2', unit: null })
    expect(measure.data.map(({ value }) => value)).toEqual(['1', '0', '0', '0', '0', '0'])
    expect(measure.data[0]?.date).toBe(`${daysAgo(5)}T00:00:00.000Z`)
  })
})

describe('measures of remote servers', () => {
  it('measures of remote servers count remote accounts, and subtract deleted ones [T-873]', async () => {
    const { host, account } = await remote()
    const add = () => given.remoteAccount({ domain: host })
    expect(await measured('instance_accounts', { domain: host })).toMatchObject({ total: 1, today: 1 })
    expect(await added('instance_accounts', add, { domain: host.toUpperCase() })).toEqual({
      total: 1,
      today: 1,
    })
    await context().db.run(`delete from accounts where id = ${account.id}`)
    const after = await measured('instance_accounts', { domain: host })
    expect(after).toMatchObject({ total: 1, today: 2 })
    expect(after).not.toHaveProperty('previous_total')
  })

  it('measures of remote servers count statuses with their languages', async () => {
    const { host, account } = await remote()
    const post = (language: string | null) => storedStatus({ accountId: account.id, local: false, language })
    expect(
      await added(
        'instance_statuses',
        async () => {
          for (const language of ['en', 'de', 'de']) await post(language)
          await countStatuses()
          await post(null)
          await countStatuses()
        },
        { domain: host },
      ),
    ).toEqual({ total: 4, today: 4 })
    expect(await dimension('instance_languages', { instance_languages: { domain: host } })).toEqual([
      { key: 'de', human_key: 'German', value: '2' },
      { key: 'en', human_key: 'English', value: '1' },
      { key: 'und', human_key: 'Unknown', value: '1' },
    ])
    await context().db.run(`delete from statuses where account_id = ${account.id}`)
    expect(await measured('instance_statuses', { domain: host })).toMatchObject({ total: 0, today: 4 })
  })

  it('measures of remote servers count a status once, whenever it arrives and is deleted', async () => {
    const { host, account } = await remote()
    const post = () => storedStatus({ accountId: account.id, local: false })
    const totalNow = async () => (await measured('instance_statuses', { domain: host })).total
    const remove = (id: number) => context().db.run(`delete from statuses where id = ${id}`)
    await remove(await post())
    const [first, second] = [await post(), await post()]
    expect(await totalNow()).toBe(0)
    await countStatuses()
    await countStatuses()
    expect(await totalNow()).toBe(2)
    await remove(first)
    expect(await totalNow()).toBe(1)
    // Stored late, with the id of its day.
    const late = second - 3 * (second - first)
    await context().db.run(`insert into statuses (id, account_id, conversation_id, local, visibility, created_at)
      values (${late}, ${account.id}, ${late}, 0, 'public', 0)`)
    expect(await totalNow()).toBe(2)
    await post()
    await post()
    await Promise.all([countServers(context()), countServers(context())])
    expect(await totalNow()).toBe(4)
  })

  it('subtract everything of a deleted account', async () => {
    const { host, account } = await remote()
    const alice = await given.account()
    await storedStatus({ accountId: account.id, local: false })
    await as(alice).post(`/api/v1/accounts/${account.id}/follow`)
    await report(account)
    await context().db.run(`delete from accounts where id = ${account.id}`)
    for (const what of ['accounts', 'statuses', 'reports', 'follows', 'followers'])
      expect((await measured(`instance_${what}`, { domain: host })).total, what).toBe(0)
  })

  it('measures of remote servers count reports, follows and followers', async () => {
    const peer = await given.peer()
    const subject = { domain: peer.host }
    const alice = await given.account()
    expect(await added('instance_reports', () => report(peer), subject)).toEqual({ total: 1, today: 1 })
    expect(
      await added(
        'instance_followers',
        () => peer.send(peer.follow(`https://fieldfare.test/users/${alice.username}`)),
        subject,
      ),
    ).toEqual({ total: 1, today: 1 })
    expect((await measured('instance_follows', subject)).total).toBe(0)
    const [bob, cleo] = [await given.account(), await given.account()]
    const second = await given.remoteAccount({ domain: peer.host, username: freshName('second') })
    for (const fan of [alice, bob, cleo]) await relation.follow(fan, second)
    await relation.follow(alice, peer)
    expect(await measured('instance_follows', subject)).toMatchObject({ total: 4, today: 4 })
    expect(await dimension('instance_accounts', { instance_accounts: subject })).toMatchObject([
      { value: '3' },
      { key: peer.username, human_key: peer.username, value: '1' },
    ])
    await as(cleo).post(`/api/v1/accounts/${second.id}/unfollow`)
    expect(await measured('instance_follows', subject)).toMatchObject({ total: 3, today: 4 })
    expect(await dimension('instance_accounts', { instance_accounts: subject, limit: 1 })).toMatchObject([
      { value: '2' },
    ])
  })

  it('measures of remote servers show no local media for remote servers, and those of this server', async () => {
    const alice = await given.account()
    const { host } = await remote()
    expect(await measured('instance_media_attachments', { domain: host })).toMatchObject({
      total: 0,
      unit: 'bytes',
      human_value: '0 Bytes',
    })
    const own = { domain: 'fieldfare.test' }
    const bytes = await added('instance_media_attachments', () => upload(alice, 'bilevel.png'), own)
    const [{ size } = { size: 0 }] = await context().db.all<{ size: number }>(
      `select size_bytes as size from media_attachments where account_id = ${alice.id}`,
    )
    expect(size).toBeGreaterThan(0)
    expect(bytes).toEqual({ total: size, today: size })
    const used = await dimension('space_usage')
    expect(used).toMatchObject([
      { key: 'd1', human_key: 'D1', unit: 'bytes' },
      { key: 'media', human_key: 'Media', unit: 'bytes' },
    ])
    expect(Number(used[0]?.value)).toBeGreaterThan(10_000)
    expect(Number(used[1]?.value)).toBeGreaterThanOrEqual(size)
  })
})

describe('statistics of hashtags', () => {
  it('statistics of hashtags count uses, accounts and servers of public posts only [T-874]', async () => {
    const name = freshName('measured')
    const [{ host, account }, alice] = [await remote(), await given.account()]
    const post = (accountId: number, language: string | null, visibility: 'public' | 'private' = 'public') =>
      storedStatus({ accountId, local: accountId === alice.id, language, visibility, tags: [name] })
    await post(account.id, 'de')
    await post(account.id, 'de')
    await post(alice.id, null)
    await post(alice.id, 'fr', 'private')
    const [{ id } = { id: 0 }] = await context().db.all<{ id: number }>(
      `select id from tags where name = '${name}'`,
    )
    const subject = { id: String(id) }
    expect(await measured('tag_uses', subject)).toMatchObject({ total: 3, today: 3, previous_total: '3' })
    expect(await measured('tag_accounts', subject)).toMatchObject({ total: 2, today: 2 })
    expect(await measured('tag_servers', subject)).toMatchObject({ total: 2, today: 2 })
    expect(await dimension('tag_servers', { tag_servers: subject })).toEqual([
      { key: host, human_key: host, value: '2' },
      { key: 'fieldfare.test', human_key: 'fieldfare.test', value: '1' },
    ])
    expect(await dimension('tag_languages', { tag_languages: subject })).toEqual([
      { key: 'de', human_key: 'German', value: '2' },
      { key: 'und', human_key: 'Unknown', value: '1' },
    ])
  })

  it('statistics of hashtags read a bounded number of uses', async () => {
    const name = freshName('busy')
    const { account } = await remote()
    for (let index = 0; index < 30; index += 1)
      await storedStatus({ accountId: account.id, local: false, tags: [name] })
    const [{ id } = { id: 0 }] = await context().db.all<{ id: number }>(
      `select id from tags where name = '${name}'`,
    )
    const keys = ['tag_uses']
    const { costs, body } = await ask('measures', {
      keys,
      start_at: daysAgo(29),
      end_at: today(),
      tag_uses: { id },
    })
    expect(body).toMatchObject([{ total: '30' }])
    expect(costs.rowsRead).toBeLessThan(400)
  })
})

describe('dimensions', () => {
  it('dimensions of statistics count languages of active users, and applications at sign-up', async () => {
    const ctx = context()
    await given.account({ user: { locale: 'sw', lastActiveAt: clock.now() } })
    expect(await dimension('languages')).toContainEqual({ key: 'sw', human_key: 'Swahili', value: '1' })
    const [{ id: appId } = { id: 0 }] = await ctx.db.all<{ id: number }>(
      'select max(id) as id from applications',
    )
    const before = await dimension('sources')
    const changes = new Changes()
    const member = {
      displayName: '',
      passwordHash: 'none',
      keys: { publicKey: '', privateKey: '' },
      roleId: null,
      locale: 'en',
      timeZone: null,
      confirmed: true,
      approved: true,
      reason: null,
      ip: null,
      inviteId: null,
      firstStepsDue: false,
    }
    for (const applicationId of [appId as ApplicationId, null, null]) {
      const username = freshName('joins')
      const accountId = ctx.ids.next()
      addMember(ctx, changes, {
        ...member,
        accountId,
        username,
        email: `${username}@mail.test`,
        applicationId,
      })
    }
    await commit(ctx, changes)
    const after = await dimension('sources')
    const rise = (key: string, human: string) => {
      const valueIn = (list: typeof after) => Number(list.find((one) => one.key === key)?.value ?? 0)
      expect(after).toContainEqual(expect.objectContaining({ key, human_key: human }))
      return valueIn(after) - valueIn(before)
    }
    expect(rise('web', 'Website')).toBe(2)
    const [app] = await ctx.db.all<{ name: string }>(`select name from applications where id = ${appId}`)
    expect(rise(app?.name ?? '', app?.name ?? '')).toBe(1)
  })

  it('dimensions of statistics count servers by their statuses, including this one', async () => {
    clock.advance(2 * dayMilliseconds)
    const [{ host, account }, alice] = [await remote(), await given.account()]
    for (let index = 0; index < 3; index += 1) await storedStatus({ accountId: account.id, local: false })
    await as(alice).post('/api/v1/statuses', { status: 'hello' })
    await countStatuses()
    expect(await dimension('servers')).toEqual([
      { key: host, human_key: host, value: '3' },
      { key: 'fieldfare.test', human_key: 'fieldfare.test', value: '1' },
    ])
    expect(await dimension('servers', { limit: 1 })).toHaveLength(1)
  })

  it('dimensions of statistics show versions', async () => {
    expect(await dimension('software_versions')).toMatchObject([
      { key: 'fieldfare', human_key: 'Fieldfare', human_value: expect.any(String) },
      { key: 'mastodon' },
    ])
  })
})

describe('retention', () => {
  it('counts members who joined on a day and were active then and later [T-875]', async () => {
    clock.advance(60 * dayMilliseconds)
    const join = async () => {
      const accountId = await createMember(context(), { username: freshName('stays') })
      return { id: accountId, token: await given.token({ accountId, scopes: 'read' }) }
    }
    const [stays, leaves] = [await join(), await join()]
    const visit = ({ token }: { readonly token: string }) =>
      as(token).get('/api/v1/accounts/verify_credentials')
    for (const who of [stays, stays, leaves]) await visit(who)
    clock.advance(dayMilliseconds)
    await visit(stays)
    clock.advance(dayMilliseconds)
    await visit(admin)
    const { body, costs } = await ask('retention', {
      start_at: daysAgo(2),
      end_at: today(),
      frequency: 'day',
    })
    const [first, second, third] = z.array(Cohort).parse(body)
    expect(first).toEqual({
      period: `${daysAgo(2)}T00:00:00.000Z`,
      frequency: 'day',
      data: [
        { date: `${daysAgo(2)}T00:00:00.000Z`, rate: 1, value: '2' },
        { date: `${daysAgo(1)}T00:00:00.000Z`, rate: 0.5, value: '1' },
        { date: `${daysAgo(0)}T00:00:00.000Z`, rate: 0, value: '0' },
      ],
    })
    expect([second?.data.length, third?.data.length]).toEqual([2, 1])
    expect(costs.trips).toBe(1)
    expect(costs.rowsRead).toBeLessThan(100)
  })

  it('counts by months, each member once', async () => {
    clock.advance((32 - clock.now().getUTCDate()) * dayMilliseconds)
    const accountId = await createMember(context(), { username: freshName('stays') })
    const token = await given.token({ accountId, scopes: 'read' })
    const visit = () => as(token).get('/api/v1/accounts/verify_credentials')
    await visit()
    clock.advance(dayMilliseconds)
    await visit()
    const joined = clock.now().toISOString().slice(0, 7)
    clock.advance(32 * dayMilliseconds)
    await visit()
    const { body } = await ask('retention', { start_at: `${joined}-01`, end_at: today(), frequency: 'month' })
    const [first] = z.array(Cohort).parse(body)
    expect(first).toMatchObject({ period: `${joined}-01T00:00:00.000Z`, frequency: 'month' })
    expect(first?.data[0]).toEqual({ date: `${joined}-01T00:00:00.000Z`, rate: 1, value: '1' })
    expect(first?.data[1]).toMatchObject({ rate: 1, value: '1' })
  })
})

describe('requests for statistics', () => {
  it('requests for statistics cover thirty days by default and two years at most, and ignore unknown keys', async () => {
    const { body } = await ask('measures', { keys: ['new_users', 'moods', 'interactions'] })
    const measures = z.array(Measure).parse(body)
    expect(measures.map(({ key }) => key)).toEqual(['new_users', 'interactions'])
    expect(measures[0]?.data).toHaveLength(30)
    const long = await ask('measures', { keys: ['new_users'], start_at: '1999-01-01', end_at: today() })
    expect(z.array(Measure).parse(long.body)[0]?.data).toHaveLength(732)
    expect((await ask('dimensions', { keys: ['moods'] })).body).toEqual([])
    expect((await ask('dimensions', {})).body).toEqual([])
    expect(z.array(Cohort).parse((await ask('retention', {})).body)).toHaveLength(30)
    const months = await ask('retention', { frequency: 'month' })
    expect(z.array(Cohort).parse(months.body)).toHaveLength(13)
    const backwards = await ask('measures', { keys: ['new_users'], start_at: today(), end_at: daysAgo(3) })
    expect(backwards).toMatchObject({ status: 200, body: [{ total: '0', data: [] }] })
  })

  it.each([
    ['measures', {}, 400, 'param is missing or the value is empty: keys'],
    ['measures', { keys: ['tag_uses'] }, 400, 'param is missing or the value is empty: tag_uses'],
    ['measures', { keys: ['instance_statuses'], tag_uses: { id: 1 } }, 400, 'instance_statuses'],
    ['dimensions', { keys: ['tag_servers'] }, 400, 'param is missing or the value is empty: tag_servers'],
    ['measures', { keys: ['tag_uses'], tag_uses: { id: '7' } }, 404, 'Record not found'],
    ['dimensions', { keys: ['tag_languages'], tag_languages: { id: '7' } }, 404, 'Record not found'],
    ['measures', { keys: ['new_users'], start_at: 'soon' }, 422, 'start_at'],
  ] as const)('refuses %s of %j with %i', async (what, body, status, error) => {
    const answer = await ask(what, body)
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body).toLowerCase()).toContain(
      error.toLowerCase().replace('_', error.includes('_at') ? ' ' : '_'),
    )
    const member = await given.account({ scopes: 'read admin:read' })
    expect((await as(member).post(`/api/v1/admin/${what}`, body)).status).toBe(403)
  })

  it('requests for statistics cost one round trip and at most 400 rows for all statistics of the server', async () => {
    const { costs } = await ask('measures', {
      keys: ['active_users', 'new_users', 'interactions', 'opened_reports', 'resolved_reports'],
    })
    expect(costs.trips).toBe(1)
    expect(costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it('requests for statistics accept parameters as forms send them', async () => {
    const { host } = await remote()
    const form = new URLSearchParams()
    form.append('keys[]', 'instance_accounts')
    form.append('instance_accounts[domain]', host)
    expect((await as(admin).post('/api/v1/admin/measures', form)).body).toMatchObject([{ total: '1' }])
  })
})
