import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditLog, follows, instances } from '../../../src/db/schema'
import { liftLimit, limitDomain } from '../../../src/domain/moderation/limit-domain'
import { continueRestoring } from '../../../src/domain/moderation/restore-follows'
import { operator } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { fakeQueue } from '../../support/fake-queue'
import { freshName, given, type TestAccount } from '../../support/given'
import { knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { givenStaff } from '../../support/given-staff'
import { clock, context, settleLateWork } from '../../support/test-app'

const own = '/api/fieldfare/v1/admin'
const freshDomain = () => `${freshName('affected')}.test`
const day = 86_400_000

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageFederation'] })
})

async function suspend(domain: string): Promise<void> {
  await limitDomain(context(), operator, domain, { severity: 'suspend' })
  await settleLateWork()
}

/** The ended follows of a server, as the API shows them. */
async function severanceOf(domain: string) {
  const { body } = await as(moderator).get(`${own}/severances?limit=100`)
  const found = (body as { id: string; domain: string; [name: string]: unknown }[]).find(
    (one) => one.domain === domain,
  )
  if (found === undefined) throw new Error(`no follows of ${domain} were ended`)
  return found
}

const restore = (id: string) => as(moderator).post(`${own}/severances/${id}/restore`)

function followBetween(from: { readonly id: number }, to: { readonly id: number }) {
  return context()
    .db.select()
    .from(follows)
    .where(and(eq(follows.accountId, from.id), eq(follows.targetAccountId, to.id)))
}

describe('the preview of a limit', () => {
  it('counts accounts and follows of the server and its subdomains, within its costs', async () => {
    const domain = freshDomain()
    await context()
      .db.insert(instances)
      .values(
        [domain, `sub.${domain}`, `not${domain}`].map((name) => ({ domain: name, createdAt: clock.now() })),
      )
    const [alice, there, below, beside] = [
      await given.account(),
      await given.remoteAccount({ domain }),
      await given.remoteAccount({ domain: `sub.${domain}` }),
      await given.remoteAccount({ domain: `not${domain}` }),
    ]
    await relation.follow(alice, there)
    await relation.follow(alice, below)
    await relation.follow(below, alice)
    await relation.follow(alice, beside)
    await limitDomain(context(), operator, domain, { severity: 'noop' })
    const answer = await as(moderator).get(`${own}/domain_blocks/preview?domain=${domain.toUpperCase()}`)
    expect(answer.body).toMatchObject({
      domain,
      accounts_count: 2,
      following_count: 2,
      followers_count: 1,
      complete: true,
      existing_domain_blocks: [{ domain, severity: 'noop' }],
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
  })

  it('counts 3,000 accounts without reading them', async () => {
    const domain = freshDomain()
    const now = clock.now().getTime()
    await given.env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into accounts (id, username, domain, uri, created_at, updated_at)
      select ${context().ids.next()} + i, 'many' || i, '${domain}', 'https://${domain}/' || i, ${now}, ${now} from n`,
    ).run()
    const answer = await as(moderator).get(`${own}/domain_blocks/preview?domain=${domain}`)
    expect(answer.body).toMatchObject({ accounts_count: 3_000, complete: true })
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(50)
    await given.env.DB.prepare('delete from accounts where domain = ?').bind(domain).run()
  })

  it.each(['', 'two words', 'co.uk', 'fieldfare.test'])(
    'the preview of a limit refuses %j',
    async (domain) => {
      const answer = await as(moderator).get(
        `${own}/domain_blocks/preview?domain=${encodeURIComponent(domain)}`,
      )
      expect(answer.status).toBe(422)
    },
  )
})

describe('restoring ended follows', () => {
  it('requests the follows of members again with their options, and restores followers', async () => {
    const queue = fakeQueue()
    const [alice, bob] = [await given.account(), await knownPeer()]
    const there = { id: bob.id }
    await relation.follow(alice, there, { showReblogs: false, notify: true, languages: ['de'] })
    await relation.follow(there, alice)
    await suspend(bob.host)
    expect(await severanceOf(bob.host)).toMatchObject({
      following_count: 1,
      followers_count: 1,
      restore_started_at: null,
      restored_at: null,
    })
    await liftLimit(context(), operator, bob.host)
    const { id } = await severanceOf(bob.host)
    const overrides = { jobs: queue.ctx.jobs }
    const answer = await as(moderator).post(`${own}/severances/${id}/restore`, {}, { overrides })
    expect(answer).toMatchObject({ status: 200, body: { restore_started_at: clock.now().toISOString() } })
    await settleLateWork()
    expect(queue.jobs).toEqual([{ kind: 'restore-follows', eventId: Number(id), after: null }])
    expect(await queue.work()).toEqual(['done'])
    await runCourierAlarms()
    expect(await severanceOf(bob.host)).toMatchObject({
      restored_count: 2,
      restored_at: clock.now().toISOString(),
    })
    const sent = bob.received().filter(({ type }) => type === 'Follow')
    expect(sent).toHaveLength(1)
    expect(await followBetween(there, alice)).toHaveLength(1)
    expect((await as(alice).get(`/api/v1/accounts/relationships?id[]=${bob.id}`)).body).toMatchObject([
      { requested: true, followed_by: true, following: false },
    ])
    const notices = await as(alice).get('/api/v1/notifications?types[]=follow')
    expect(notices.body).toEqual([])
    const entries = await context().db.select().from(auditLog).where(eq(auditLog.targetLabel, bob.host))
    expect(entries.map(({ action }) => action)).toEqual(['create', 'delete', 'restore'])

    // Once more, by the queue and by a moderator: nothing is sent again.
    await continueRestoring(context(), { kind: 'restore-follows', eventId: Number(id), after: null })
    expect(await restore(id)).toMatchObject({ status: 200, body: { restored_count: 2 } })
    await settleLateWork()
    await runCourierAlarms()
    expect(bob.received().filter(({ type }) => type === 'Follow')).toHaveLength(1)
  })

  it('keeps the options of a follow', async () => {
    const queue = fakeQueue()
    const [alice, bob] = [await given.account(), await knownPeer()]
    await relation.follow({ id: bob.id }, alice, { showReblogs: false })
    await suspend(bob.host)
    await liftLimit(context(), operator, bob.host)
    const { id } = await severanceOf(bob.host)
    await as(moderator).post(`${own}/severances/${id}/restore`, {}, { overrides: { jobs: queue.ctx.jobs } })
    await queue.work()
    expect(await followBetween(bob, alice)).toMatchObject([{ showReblogs: false }])
  })

  it('restores in parts, and leaves out follows blocked since then', async () => {
    const queue = fakeQueue()
    const domain = freshDomain()
    const alice = await given.account()
    const followers = []
    for (let left = 60; left > 0; left -= 1) followers.push(await given.remoteAccount({ domain }))
    for (const follower of followers) await relation.follow(follower, alice)
    await suspend(domain)
    await liftLimit(context(), operator, domain)
    const blocked = followers[3]
    if (blocked !== undefined) await relation.block(alice, blocked)
    const { id } = await severanceOf(domain)
    await as(moderator).post(`${own}/severances/${id}/restore`, {}, { overrides: { jobs: queue.ctx.jobs } })
    expect(new Set(await queue.work())).toEqual(new Set(['done']))
    expect(await severanceOf(domain)).toMatchObject({ followers_count: 60, restored_count: 59 })
    expect((await as(alice).get('/api/v1/accounts/verify_credentials')).body).toMatchObject({
      followers_count: 59,
    })
  })

  it('restoring ended follows is refused while the server is suspended, after 30 days, and for unknown events', async () => {
    const [alice, bob] = [await given.account(), await knownPeer()]
    await relation.follow(alice, { id: bob.id })
    await suspend(bob.host)
    const { id } = await severanceOf(bob.host)
    expect((await restore(id)).status).toBe(422)
    await liftLimit(context(), operator, bob.host)
    const before = clock.now()
    clock.advance(30 * day + 1)
    const answer = await restore(id)
    clock.set(before)
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'The follows ended more than 30 days ago' },
    })
    expect((await restore('1')).status).toBe(404)
  })
})
