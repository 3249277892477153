import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts, auditLog, counters, inboxes, outbox, searchWalks } from '../../../src/db/schema'
import type { CourierControl, CourierState } from '../../../src/ports/federation'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin'
const { network } = fediverse
const { db } = context()

/** Couriers whose states a test gives, and which note what they are told. */
function couriers(states: Readonly<Record<string, Partial<CourierState>>> = {}) {
  const told: string[] = []
  const idle = {
    pending: 0,
    oldestAt: null,
    nextAt: null,
    failures: 0,
    failingSince: null,
    lastSuccessAt: null,
    lastError: null,
    unreachable: false,
  }
  const courierControl: CourierControl = {
    state: async (host) => (states[host] === undefined ? null : { ...idle, ...states[host] }),
    retry: async (host) => told.push(`retry ${host}`),
    drop: async (host) => told.push(`drop ${host}`),
  }
  return { told, options: { overrides: { courierControl } } }
}

const lastAct = async () => (await db.select().from(auditLog).orderBy(sql`id desc`).limit(1)).at(0) ?? null

describe('couriers', () => {
  it('lists couriers with failures, page by page', async () => {
    const staff = await givenStaff({ permissions: ['manageFederation'] })
    const peer = await fediverse.actor()
    await context().resolver.accountByUri(peer.uri)
    const { options } = couriers({ [peer.host]: { pending: 3, failures: 2, failingSince: clock.now() } })
    const Page = z.object({
      couriers: z.array(z.looseObject({ host: z.string() })),
      next: z.string().nullable(),
    })
    const found: unknown[] = []
    for (let after: string | null = '0'; after !== null; ) {
      const { body } = await as(staff).get(`${path}/couriers?after=${after}`, options)
      const page = Page.parse(body)
      found.push(...page.couriers)
      after = page.next
    }
    expect(found).toEqual([
      {
        host: peer.host,
        pending: 3,
        oldest_at: null,
        next_at: null,
        failures: 2,
        failing_since: clock.now().toISOString(),
        last_success_at: null,
        last_error: null,
        unreachable: false,
      },
    ])
  })

  it('lists failing couriers as they reported it, in one round trip, and all with their state', async () => {
    const staff = await givenStaff({ permissions: ['manageFederation'] })
    const now = clock.now()
    const names = [...Array.from({ length: 40 }, (_, at) => `a${at}.test`), 'z.test']
    await db.run(sql`insert into failing_hosts (host, failing_since, failures, waiting, reported_at, error, unreachable)
      select value, ${now.getTime()}, 6, 2, 1, 'http 503', value = 'z.test' from json_each(${JSON.stringify(names)})`)
    const first = await as(staff).get(`${path}/delivery_health?failing=true`)
    expect(first.costs.trips).toBeLessThanOrEqual(2)
    expect(first.costs.rowsRead).toBeLessThanOrEqual(120)
    const Hosts = z.object({ hosts: z.array(z.unknown()), next: z.string().nullable() })
    const { hosts, next } = Hosts.parse(first.body)
    expect([hosts.length, hosts[0]]).toEqual([
      40,
      {
        host: 'a0.test',
        state: 'failing',
        last_success_at: null,
        failing_since: now.toISOString(),
        failures: 6,
        waiting: 2,
        oldest_at: null,
        last_error: 'http 503',
        next_attempt_at: null,
      },
    ])
    const rest = await as(staff).get(`${path}/delivery_health?failing=true&after=${next}`)
    expect(rest.body).toMatchObject({ hosts: [{ host: 'z.test', state: 'unreachable' }], next: null })
    const peer = await fediverse.actor()
    await context().resolver.accountByUri(peer.uri)
    const { options } = couriers({ [peer.host]: { lastSuccessAt: now } })
    const all = await as(staff).get(`${path}/delivery_health`, options)
    expect(all.body).toMatchObject({
      hosts: [{ host: peer.host, state: 'well', last_success_at: now.toISOString() }],
    })
  })

  it('retries and drops couriers with a log entry, and marks inboxes as reachable', async () => {
    const staff = await givenStaff({ permissions: ['manageFederation'] })
    const url = 'https://gone-for-weeks.test/inbox'
    await db.insert(inboxes).values({ id: 987_654_321, url, unreachableSince: clock.now() })
    const { told, options } = couriers()
    const host = 'gone-for-weeks.test'
    expect((await as(staff).post(`${path}/couriers/retry`, { host }, options)).body).toEqual({ count: 1 })
    expect(await lastAct()).toMatchObject({ action: 'retry', targetType: 'deliveries', targetLabel: host })
    const [inbox] = await db.select().from(inboxes).where(eq(inboxes.url, url))
    expect(inbox?.unreachableSince).toBeNull()
    expect((await as(staff).post(`${path}/couriers/drop`, { host }, options)).body).toEqual({ count: 2 })
    expect(told).toEqual([`retry ${host}`, `drop ${host}`])
    expect((await as(staff).post(`${path}/couriers/drop`, { host: 'a b' }, options)).status).toBe(422)
    await db.delete(inboxes).where(eq(inboxes.url, url))
  })
})

describe('pending effects', () => {
  const entry = { id: 4_711, event: { kind: 'account.updated', accountId: 1 }, attempts: 7 }
  afterEach(() => db.delete(outbox).where(eq(outbox.id, entry.id)))

  it('lists pending effects by kind, retries and drops them', async () => {
    const staff = await givenStaff({ permissions: ['viewDevops'] })
    const later = new Date(clock.now().getTime() + 3_600_000)
    await db.insert(outbox).values({ ...entry, notBefore: later })
    const { body } = await as(staff).get(`${path}/effects`)
    expect(body).toMatchObject({
      entries: expect.arrayContaining([
        { id: '4711', kind: 'account.updated', attempts: 7, due_at: later.toISOString() },
      ]),
    })
    expect((await as(staff).post(`${path}/effects/4711/retry`)).status).toBe(200)
    const [row] = await db.select().from(outbox).where(eq(outbox.id, entry.id))
    expect(row).toMatchObject({ attempts: 0, notBefore: clock.now() })
    expect((await as(staff).delete(`${path}/effects/4711`)).status).toBe(200)
    expect(await lastAct()).toMatchObject({ action: 'drop', targetType: 'outbox', targetId: 4_711 })
    expect((await as(staff).delete(`${path}/effects/4711`)).status).toBe(404)
    expect((await as(staff).post(`${path}/effects/4711/retry`)).status).toBe(404)
  })
})

describe('the index of statuses', () => {
  it('rebuilds the index of statuses from the newest, also after an earlier start', async () => {
    const staff = await givenStaff({ permissions: ['viewDevops'] })
    await db.delete(searchWalks)
    expect((await as(staff).get(`${path}/search_index`)).body).toMatchObject({ walked_down_to: null })
    const all = { walked_down_to: String(Number.MAX_SAFE_INTEGER) }
    expect((await as(staff).post(`${path}/search_index/rebuild`)).body).toMatchObject(all)
    await db.update(searchWalks).set({ beforeId: 5 })
    expect((await as(staff).get(`${path}/search_index`)).body).toMatchObject({ walked_down_to: '5' })
    expect((await as(staff).post(`${path}/search_index/rebuild`)).body).toMatchObject(all)
    expect(await lastAct()).toMatchObject({ action: 'rebuild', targetType: 'search_index' })
    await db.delete(searchWalks)
  })
})

describe('counters', () => {
  it('recounts counters in parts: of members, then of the instance', async () => {
    const staff = await givenStaff({ permissions: ['viewDevops'] })
    const [alice, bob] = [await given.account(), await given.account()]
    await as(bob).post(`/api/v1/accounts/${alice.id}/follow`)
    await as(alice).post('/api/v1/statuses', { status: 'One' })
    await as(alice).post('/api/v1/statuses', { status: 'Two, for nobody', visibility: 'direct' })
    const members = Number(
      (await db.select({ n: sql<number>`count(*)`.as('n') }).from(sql`users`)).at(0)?.n ?? 0,
    )
    const right = await db.select().from(counters)
    await db
      .update(accounts)
      .set({ statusesCount: 70, followersCount: 70, followingCount: 70 })
      .where(eq(accounts.id, alice.id))
    await db.update(counters).set({ value: 900 }).where(sql`name in ('users', 'statuses')`)
    const Part = z.object({ members: z.int(), next: z.string().nullable() })
    let [seen, after]: [number, string | null] = [0, null]
    do {
      const order: Record<string, string> = after === null ? {} : { after }
      const part = Part.parse((await as(staff).post(`${path}/counters/rebuild`, order)).body)
      seen += part.members
      after = part.next
    } while (after !== null)
    expect(seen).toBe(members)
    const [row] = await db.select().from(accounts).where(eq(accounts.id, alice.id))
    expect(row).toMatchObject({ statusesCount: 1, followersCount: 1, followingCount: 0 })
    const value = (list: typeof right, name: string) => list.find((one) => one.name === name)?.value
    const now = await db.select().from(counters)
    for (const name of ['users', 'statuses']) expect([name, value(now, name)]).not.toEqual([name, 900])
    expect(value(now, 'users')).toBeGreaterThanOrEqual(3)
  })
})

describe('a check of federation', () => {
  const Check = z.object({
    steps: z.array(z.object({ step: z.string(), outcome: z.string(), explanation: z.string() })),
  })
  async function check(host: string, states: Parameters<typeof couriers>[0] = {}) {
    const staff = await givenStaff({ permissions: ['manageFederation'] })
    const { options } = couriers(states)
    const { body } = await as(staff).post(`${path}/federation/check`, { host }, options)
    return Object.fromEntries(
      Check.parse(body).steps.map(({ step, outcome, explanation }) => [step, `${outcome}: ${explanation}`]),
    )
  }

  it('passes each step with a working server', async () => {
    const peer = await fediverse.actor()
    await context().resolver.accountByUri(peer.uri)
    const about = `https://${peer.host}/nodeinfo/2.0`
    network.serve(`https://${peer.host}/.well-known/nodeinfo`, {
      links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: about }],
    })
    network.serve(about, { software: { name: 'mastodon', version: '4.5.0' } })
    expect(await check(peer.host)).toEqual({
      limits: `passed: ${peer.host} may be contacted.`,
      software: `passed: ${peer.host} runs mastodon 4.5.0.`,
      webfinger: `passed: WebFinger leads from ${peer.username}@${peer.host} to ${peer.uri}.`,
      signature: expect.stringMatching(/^passed: A signed request.* was answered\.$/),
      delivery: `passed: No delivery to ${peer.host} waits or failed.`,
    })
  })

  it('shows failures, and the state of deliveries', async () => {
    const peer = await fediverse.actor()
    await context().resolver.accountByUri(peer.uri)
    network.respond(peer.uri, () => new Response(null, { status: 404 }))
    const failing = { pending: 4, failures: 9, failingSince: new Date('2026-11-01T00:00:00Z') }
    const steps = await check(peer.host, { [peer.host]: failing })
    expect(steps['software']).toMatch(/^failed: /)
    expect(steps['signature']).toMatch(/^failed: .*not found by a signed request/)
    expect(steps['delivery']).toBe(
      `failed: Deliveries to ${peer.host} fail since 2026-11-01T00:00:00.000Z; 4 wait.`,
    )
  })

  it.each(['127.0.0.1', '10.0.0.1:8080', 'localhost', 'printer.local', 'social.example:8443'])(
    'never contacts %s, and tries nothing',
    async (host) => {
      const steps = await check(host)
      expect(Object.keys(steps)).toEqual(['limits'])
      expect(steps['limits']).toMatch(/^failed: .* is never contacted: its address /)
    },
  )

  it('reads no NodeInfo at a private address [T-1023]', async () => {
    const peer = await fediverse.actor()
    for (const href of ['https://10.0.0.1/nodeinfo', 'http://localhost/nodeinfo']) {
      network.serve(`https://${peer.host}/.well-known/nodeinfo`, {
        links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href }],
      })
      expect((await check(peer.host))['software']).toMatch(/^failed: /)
      expect(network.requests(href)).toEqual([])
    }
  })

  it('contacts no suspended server and never itself, and fetches no accounts of unknown servers', async () => {
    const peer = await fediverse.actor()
    await domainLimit(peer.host, 'suspend')
    expect(await check(peer.host)).toEqual({ limits: expect.stringMatching(/^failed: .*suspended here/) })
    expect(await check('never-met.test')).toMatchObject({
      webfinger: expect.stringMatching(/^skipped: No account of never-met\.test is known/),
      signature: expect.stringMatching(/^skipped/),
    })
    const staff = await givenStaff({ permissions: ['manageFederation'] })
    expect((await as(staff).post(`${path}/federation/check`, { host: 'fieldfare.test' })).status).toBe(422)
  })
})
