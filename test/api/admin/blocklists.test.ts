import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accounts, auditLog, blocklists, domainLimits } from '../../../src/db/schema'
import { checkDueLists } from '../../../src/domain/moderation/blocklists/fetch'
import { as } from '../../support/as'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const own = '/api/fieldfare/v1/admin/blocklists'
const freshDomain = () => `${freshName('published')}.test`
const day = 86_400_000

interface Change {
  readonly id: string
  readonly domain: string
  readonly change: string
}

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageFederation'] })
})

/** Published list, with the subscription to it. */
class Published {
  readonly url = `https://${freshName('lists')}.test/list.csv`
  readonly queue = fakeQueue()
  lines: readonly string[] = []
  id = ''

  constructor() {
    fediverse.network.respond(this.url, (request) => {
      const etag = `"${this.lines.join('|')}"`
      if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 })
      const text = ['domain,severity,public_comment', ...this.lines].join('\n')
      return new Response(text, { headers: { 'content-type': 'text/csv', etag } })
    })
  }

  post(path: string, body: Readonly<Record<string, unknown>> = {}) {
    return as(moderator).post(path, body, { overrides: { jobs: this.queue.ctx.jobs } })
  }

  async subscribe(): Promise<void> {
    const { body } = await this.post(own, { url: this.url, title: 'Bad servers' })
    this.id = (body as { id: string }).id
    await this.queue.work()
  }

  async publish(...lines: readonly string[]): Promise<void> {
    this.lines = lines
    await this.post(`${own}/${this.id}/check`)
    await this.queue.work()
  }

  async changes(): Promise<readonly Change[]> {
    return (await as(moderator).get(`${own}/${this.id}/changes`)).body as Change[]
  }

  async decide(what: 'approve' | 'reject', body: Readonly<Record<string, unknown>> = { all: true }) {
    const answer = await this.post(`${own}/${this.id}/${what}`, body)
    await this.queue.work()
    return answer
  }

  state() {
    return as(moderator).get(`${own}/${this.id}`)
  }
}

const limitOn = async (domain: string) =>
  (await context().db.select().from(domainLimits).where(eq(domainLimits.domain, domain)))[0]

async function silencedAt(id: number) {
  return (await context().db.select().from(accounts).where(eq(accounts.id, id)))[0]?.silencedAt
}

describe('a subscription to a published list', () => {
  let list: Published
  beforeEach(() => {
    list = new Published()
  })

  it('proposes limits, and creates approved ones', async () => {
    const [one, two, three] = [freshDomain(), freshDomain(), freshDomain()]
    const there = await given.remoteAccount({ domain: one })
    list.lines = [`${one},silence,Loud`, `${two},suspend,`, `${three},suspend,`]
    await list.subscribe()
    expect((await list.state()).body).toMatchObject({
      title: 'Bad servers',
      url: list.url,
      checked_at: clock.now().toISOString(),
      error: null,
      has_pending_changes: true,
    })
    expect(await limitOn(one)).toBeUndefined()
    expect((await as(moderator).get(`${own}/${list.id}/preview`)).body).toMatchObject({
      added_count: 3,
      changed_count: 0,
      removed_count: 0,
      complete: true,
    })
    const changes = await list.changes()
    const idOf = (domain: string) => changes.find((change) => change.domain === domain)?.id
    expect(changes).toHaveLength(3)
    await list.decide('approve', { change_ids: [idOf(one)] })
    await list.decide('reject', { change_ids: [idOf(two)] })
    expect(await limitOn(one)).toMatchObject({
      severity: 'silence',
      publicComment: 'Loud',
      blocklistId: Number(list.id),
    })
    expect(await silencedAt(there.id)).toEqual(clock.now())
    expect(await limitOn(two)).toBeUndefined()
    expect((await list.changes()).map(({ domain }) => domain)).toEqual([three])

    // Published again: what was rejected is not proposed again, unless it changes.
    await list.publish(
      `${one},silence,Loud`,
      `${two},suspend,Still`,
      `${three},suspend,`,
      `${freshDomain()},noop,`,
    )
    expect((await list.changes()).map(({ domain }) => domain)).not.toContain(two)
    await list.publish(`${one},silence,Loud`, `${two},silence,`)
    expect((await list.changes()).map(({ domain }) => domain)).toEqual([two])
    const audited = await context()
      .db.select()
      .from(auditLog)
      .where(eq(auditLog.targetId, Number(list.id)))
    expect(audited.map(({ action }) => action)).toEqual(['create', 'approve', 'reject', 'check', 'check'])
  })

  it('retracts its limits when the list does, after review, and never those of moderators', async () => {
    const [one, own1] = [freshDomain(), freshDomain()]
    const there = await given.remoteAccount({ domain: one })
    await as(moderator).post('/api/v1/admin/domain_blocks', { domain: own1, severity: 'suspend' })
    list.lines = [`${one},silence,`, `${own1},suspend,`, `${freshDomain()},noop,`]
    await list.subscribe()
    expect((await list.changes()).map(({ domain }) => domain)).not.toContain(own1)
    await list.decide('approve')
    await list.publish(`${freshDomain()},noop,`)
    expect(await list.changes()).toContainEqual(
      expect.objectContaining({
        domain: one,
        change: 'remove',
        existing_domain_block: expect.objectContaining({ domain: one }),
      }),
    )
    expect(await limitOn(one)).toBeDefined()
    await list.decide('approve')
    expect(await limitOn(one)).toBeUndefined()
    expect(await silencedAt(there.id)).toBeNull()
    expect(await limitOn(own1)).toMatchObject({ severity: 'suspend' })
  })

  it('proposes to strengthen limits of moderators, and never to weaken them', async () => {
    const [mild, strict] = [freshDomain(), freshDomain()]
    await as(moderator).post('/api/v1/admin/domain_blocks', { domain: mild, public_comment: 'Ours' })
    await as(moderator).post('/api/v1/admin/domain_blocks', { domain: strict, severity: 'suspend' })
    list.lines = [`${mild},suspend,Theirs`, `${strict},silence,`]
    await list.subscribe()
    expect(await list.changes()).toMatchObject([
      { domain: mild, change: 'change', existing_domain_block: { severity: 'silence' } },
    ])
    await list.decide('approve')
    expect(await limitOn(mild)).toMatchObject({
      severity: 'suspend',
      publicComment: 'Ours',
      blocklistId: null,
    })
    expect(await limitOn(strict)).toMatchObject({ severity: 'suspend' })
  })

  it('keeps a limit that another list has as well', async () => {
    const domain = freshDomain()
    const other = new Published()
    for (const one of [list, other]) {
      one.lines = [`${domain},suspend,`, `${freshDomain()},noop,`]
      await one.subscribe()
      await one.decide('approve')
    }
    expect(await limitOn(domain)).toMatchObject({ blocklistId: Number(list.id) })
    await list.publish(`${freshDomain()},noop,`)
    await list.decide('approve')
    expect(await limitOn(domain)).toMatchObject({ blocklistId: Number(other.id) })
    await other.publish(`${freshDomain()},noop,`)
    await other.decide('approve')
    expect(await limitOn(domain)).toBeUndefined()
  })

  it('releases a limit that a moderator changed, or whose removal they rejected', async () => {
    const [changed, kept] = [freshDomain(), freshDomain()]
    list.lines = [`${changed},suspend,`, `${kept},suspend,`]
    await list.subscribe()
    await list.decide('approve')
    const row = await limitOn(changed)
    await as(moderator).put(`/api/v1/admin/domain_blocks/${row?.id}`, { private_comment: 'Ours now' })
    await list.publish(`${freshDomain()},noop,`)
    const removals = (await list.changes()).filter(({ change }) => change === 'remove')
    expect(removals.map(({ domain }) => domain)).toEqual([kept])
    await list.decide('reject', { change_ids: removals.map(({ id }) => id) })
    expect(await limitOn(kept)).toMatchObject({ blocklistId: null })
    await list.publish(`${freshDomain()},noop,`)
    expect((await list.changes()).filter(({ change }) => change === 'remove')).toEqual([])
  })

  it('a subscription to a published list follows exceptions', async () => {
    const [before, after] = [freshDomain(), freshDomain()]
    await as(moderator).post('/api/fieldfare/v1/admin/domain_blocks/exceptions', { domain: before })
    list.lines = [`sub.${before},suspend,`, `${after},suspend,`]
    await list.subscribe()
    expect((await list.changes()).map(({ domain }) => domain)).toEqual([after])
    await list.decide('approve')
    await as(moderator).post('/api/fieldfare/v1/admin/domain_blocks/exceptions', { domain: after })
    await list.publish(...list.lines)
    expect(await list.changes()).toMatchObject([{ domain: after, change: 'remove' }])
  })

  it('changes nothing for a malformed, empty, too long or unreachable list, and shows the reason', async () => {
    const domain = freshDomain()
    list.lines = [`${domain},suspend,`]
    await list.subscribe()
    await list.decide('approve')
    const failing = async (answer: () => Response) => {
      fediverse.network.respond(list.url, answer)
      await list.post(`${own}/${list.id}/check`)
      await list.queue.work()
      return ((await list.state()).body as { error: string | null }).error
    }
    expect(await failing(() => new Response(`${domain}\ntwo words`))).toBe(
      'Line 2: “two words” is not a valid domain name',
    )
    expect(await failing(() => new Response('domain,severity'))).toBe('The list is empty')
    expect(await failing(() => new Response('', { status: 500 }))).toBe('The server answers 500')
    expect(await failing(() => new Response('x'.repeat(3_000_000)))).not.toBeNull()
    expect(
      await failing(() => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } })),
    ).not.toBeNull()
    expect(await list.changes()).toEqual([])
    expect(await limitOn(domain)).toBeDefined()
  })

  it('fetches a list once a day, and does not read an unchanged version again', async () => {
    list.lines = [`${freshDomain()},suspend,`]
    await list.subscribe()
    const fetched = () => fediverse.network.requests(new URL(list.url).origin, 'GET')
    expect(fetched()).toHaveLength(1)
    await checkDueLists(list.queue.ctx)
    expect(list.queue.jobs).not.toContainEqual({ kind: 'fetch-blocklist', blocklistId: Number(list.id) })
    clock.advance(day)
    await checkDueLists(list.queue.ctx)
    await checkDueLists(list.queue.ctx)
    await list.queue.work()
    expect(fetched().map(({ status }) => status)).toEqual([200, 304])
    expect((await list.state()).body).toMatchObject({ checked_at: clock.now().toISOString(), error: null })
  })

  it('ends, and keeps or lifts its limits', async () => {
    const [kept, lifted] = [freshDomain(), freshDomain()]
    list.lines = [`${kept},suspend,`]
    await list.subscribe()
    await list.decide('approve')
    const jobs = { jobs: list.queue.ctx.jobs }
    expect((await as(moderator).delete(`${own}/${list.id}`, {}, { overrides: jobs })).body).toEqual({})
    expect((await list.state()).status).toBe(404)
    await list.queue.work()
    expect(await limitOn(kept)).toMatchObject({ blocklistId: null })

    const other = new Published()
    other.lines = [`${lifted},suspend,`]
    await other.subscribe()
    await other.decide('approve')
    const overrides = { jobs: other.queue.ctx.jobs }
    await as(moderator).delete(`${own}/${other.id}`, { lift: true }, { overrides })
    await other.queue.work()
    expect(await limitOn(lifted)).toBeUndefined()
    expect(
      await context()
        .db.select()
        .from(blocklists)
        .where(eq(blocklists.id, Number(other.id))),
    ).toEqual([])
  })

  it('accepts one of two decisions about a change', async () => {
    list.lines = [`${freshDomain()},suspend,`]
    await list.subscribe()
    const [change] = await list.changes()
    const body = { change_ids: [change?.id] }
    const answers = await Promise.all([
      list.post(`${own}/${list.id}/approve`, body),
      list.post(`${own}/${list.id}/reject`, body),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await list.post(`${own}/${list.id}/approve`, {})).status).toBe(422)
    expect((await list.post(`${own}/${list.id}/approve`, { change_ids: ['1'] })).status).toBe(409)
  })

  it.each([
    ['', 'Url is no address'],
    ['lists.test', 'Url is no address'],
    ['http://lists.test/a.csv', 'Url is not https'],
    ['https://a:b@lists.test/a.csv', 'Url carries credentials'],
    ['https://127.0.0.1/a.csv', 'Url is a number'],
    ['https://[::1]/a.csv', 'Url is a number'],
    ['https://lists.internal/a.csv', 'Url leads into a private network'],
    ['https://lists.test:8443/a.csv', 'Url names a port'],
    ['https://fieldfare.test/a.csv', 'Url is our own'],
  ])('a subscription to a published list refuses the address %j', async (url, problem) => {
    expect(await as(moderator).post(own, { url })).toMatchObject({
      status: 422,
      body: { error: `Validation failed: ${problem}` },
    })
  })

  it('refuses a second subscription to an address', async () => {
    await list.subscribe()
    expect(await list.post(own, { url: list.url })).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Url has already been taken' },
    })
  })
})
