import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { accounts, auditLog, blocklists, domainLimits, instances } from '../../../src/db/schema'
import { rebuildCachedList } from '../../../src/domain/core/cached-lists'
import { as } from '../../support/as'
import { fakeQueue } from '../../support/fake-queue'
import { freshName, given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { relation } from '../../support/given-relationships'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const own = '/api/fieldfare/v1/admin/domain_blocks'
const heading = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'
const freshDomain = () => `${freshName('listed')}.test`
const csv = (...lines: readonly string[]) => [heading, ...lines].join('\n')

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageFederation'] })
})

/** Uploads a list, and runs what that queues. */
async function upload(text: string, more: Readonly<Record<string, unknown>> = {}) {
  const queue = fakeQueue()
  const overrides = { jobs: queue.ctx.jobs }
  const answer = await as(moderator).post(`${own}/import`, { csv: text, ...more }, { overrides })
  const outcomes = await queue.work()
  return { ...answer, outcomes }
}

const limitsOn = (...domains: readonly string[]) =>
  context()
    .db.select()
    .from(domainLimits)
    .where(inArray(domainLimits.domain, [...domains]))
    .orderBy(domainLimits.domain)

const accountOf = async (id: number) =>
  (await context().db.select().from(accounts).where(eq(accounts.id, id)))[0]

describe('the import of a list', () => {
  it('shows a preview: new limits, conflicts, and the number of follows to end', async () => {
    const [added, known, same, covered] = [freshDomain(), freshDomain(), freshDomain(), freshDomain()]
    await domainLimit(known, 'silence', { publicComment: 'Ours' })
    await domainLimit(same, 'suspend')
    await domainLimit(covered, 'suspend')
    await context().db.insert(instances).values({ domain: added, createdAt: clock.now() })
    const [alice, there] = [await given.account(), await given.remoteAccount({ domain: added })]
    await relation.follow(alice, there)
    const answer = await as(moderator).post(`${own}/import/preview`, {
      csv: csv(`${added},suspend,,,Spam,`, `${known},suspend`, `${same},suspend`, `sub.${covered},silence`),
    })
    expect(answer.body).toMatchObject({
      added: [{ domain: added, severity: 'suspend', public_comment: 'Spam' }],
      conflicts: [
        { listed: { domain: known }, existing_domain_block: { severity: 'silence', public_comment: 'Ours' } },
      ],
      unchanged_count: 2,
      excepted: [],
      accounts_count: 1,
      following_count: 1,
      followers_count: 0,
      complete: true,
    })
    expect(await limitsOn(added)).toEqual([])
  })

  it('creates limits with all their effects, in the background', async () => {
    const [silenced, suspended] = [freshDomain(), freshDomain()]
    const alice = await given.account()
    const quiet = await given.remoteAccount({ domain: `sub.${silenced}` })
    const gone = await given.remoteAccount({ domain: suspended, avatar: { remote: 'https://a.test/a.png' } })
    await relation.follow(alice, gone)
    const answer = await upload(
      csv(`${silenced},silence,true,true,Loud,true`, `${suspended},suspend,,,,`, `${freshDomain()},noop`),
    )
    expect(answer).toMatchObject({
      status: 200,
      body: { added_count: 3, changed_count: 0, skipped_count: 0 },
    })
    expect(await limitsOn(silenced, suspended)).toMatchObject(
      [
        {
          domain: silenced,
          severity: 'silence',
          rejectMedia: true,
          rejectReports: true,
          obfuscate: true,
          publicComment: 'Loud',
          blocklistId: null,
        },
        { domain: suspended, severity: 'suspend' },
      ].toSorted((a, b) => a.domain.localeCompare(b.domain)),
    )
    expect(await accountOf(quiet.id)).toMatchObject({ silencedAt: clock.now(), suspendedAt: null })
    expect(await accountOf(gone.id)).toMatchObject({ suspendedAt: clock.now(), avatar: null })
    expect(await accountOf(alice.id)).toMatchObject({ followingCount: 0 })
    const { id } = answer.body as { id: string }
    expect(
      await context()
        .db.select()
        .from(blocklists)
        .where(eq(blocklists.id, Number(id))),
    ).toEqual([])
    const entries = await context()
      .db.select()
      .from(auditLog)
      .where(and(eq(auditLog.targetType, 'blocklist'), eq(auditLog.targetId, Number(id))))
    expect(entries).toMatchObject([{ action: 'import', username: moderator.username }])
  })

  it('keeps conflicting limits, and changes them with overwrite, keeping comments', async () => {
    const domain = freshDomain()
    const there = await given.remoteAccount({ domain })
    await as(moderator).post('/api/v1/admin/domain_blocks', { domain, public_comment: 'Ours' })
    expect(await upload(csv(`${domain},suspend,,,Theirs`))).toMatchObject({
      body: { added_count: 0, skipped_count: 1 },
    })
    expect(await limitsOn(domain)).toMatchObject([{ severity: 'silence', publicComment: 'Ours' }])
    clock.advance(1_000)
    await upload(csv(`${domain},suspend,,,Theirs`), { overwrite: true })
    expect(await limitsOn(domain)).toMatchObject([{ severity: 'suspend', publicComment: 'Ours' }])
    expect(await accountOf(there.id)).toMatchObject({ silencedAt: null, suspendedAt: clock.now() })
  })

  it('reads files saved by spreadsheet programs, with server addresses and plain column names', async () => {
    const rows = (...domains: readonly string[]) => [
      'domain;severity;public_comment',
      ...domains.map((domain) => `https://${domain}/;silence;Spam, and more`),
    ]
    const wide = (text: string) =>
      new Uint8Array([...text].flatMap((one) => [one.charCodeAt(0) & 255, one.charCodeAt(0) >> 8]))
    const forms = [
      (lines: readonly string[]) => lines.join('\r\n'),
      (lines: readonly string[]) => ['sep=;', ...lines].join('\n'),
      (lines: readonly string[]) => `\u{feff}${lines.join('\n').replaceAll(';', '\t')}`,
      (lines: readonly string[]) => wide(`\u{feff}${lines.join('\r\n').replaceAll(';', '\t')}`),
    ]
    for (const form of forms) {
      const domain = freshDomain()
      const body = new FormData()
      body.set('data', new File([form(rows(domain))], 'list.csv'))
      expect((await as(moderator).post(`${own}/import/preview`, body)).body).toMatchObject({
        added: [{ domain, severity: 'silence', public_comment: 'Spam, and more' }],
      })
    }
  })

  it('refuses a file of accounts, with or without a heading', async () => {
    for (const text of [
      'Account address,Show boosts\nada@there.test,true',
      'ada@there.test',
      'Friends,ada@there.test',
    ])
      expect((await as(moderator).post(`${own}/import`, { csv: text })).status).toBe(422)
  })

  it('refuses the whole list with the number of a malformed line, also as a file', async () => {
    const domain = freshDomain()
    const form = new FormData()
    form.set('data', new File([csv(`${domain},suspend`, 'two words,suspend')], 'list.csv'))
    for (const body of [form, { csv: csv(`${domain},suspend`, 'two words,suspend') }])
      expect(await as(moderator).post(`${own}/import`, body)).toMatchObject({
        status: 422,
        body: { error: 'Line 3: “two words” is not a valid domain name' },
      })
    expect((await as(moderator).post(`${own}/import`, {})).status).toBe(422)
    expect(await limitsOn(domain)).toEqual([])
  })

  it('skips excepted domains with their subdomains', async () => {
    const domain = freshDomain()
    const made = await as(moderator).post(`${own}/exceptions`, {
      domain: domain.toUpperCase(),
      comment: 'Friends',
    })
    expect(made.body).toMatchObject({ domain, comment: 'Friends' })
    expect((await as(moderator).get(`${own}/exceptions?limit=1`)).body).toEqual([made.body])
    expect(await upload(csv(`${domain},suspend`, `a.${domain},suspend`))).toMatchObject({
      body: { added_count: 0, skipped_count: 2 },
    })
    const { id } = made.body as { id: string }
    expect((await as(moderator).delete(`${own}/exceptions/${id}`)).body).toEqual({})
    expect((await as(moderator).delete(`${own}/exceptions/${id}`)).status).toBe(404)
    expect(await upload(csv(`${domain},suspend`))).toMatchObject({ body: { added_count: 1 } })
  })

  it('imports 10,000 lines in 20 parts and reads few rows per line', async () => {
    const name = freshName('mass')
    const lines = Array.from({ length: 10_000 }, (_, at) => `s${at}.${name}.test,silence`)
    const there = await given.remoteAccount({ domain: `x.s77.${name}.test` })
    const answer = await upload(csv(...lines))
    expect(answer.body).toMatchObject({ added_count: 10_000 })
    // The file, its parts, the last run, which finds nothing left, and three of the cached list of limits.
    expect(answer.outcomes).toEqual(Array.from({ length: 25 }, () => 'done'))
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(70_000)
    expect(await accountOf(there.id)).toMatchObject({ silencedAt: clock.now() })
    const isOfMass = sql`domain like ${`%.${name}.test`}`
    const [found] = await context()
      .db.select({ count: sql<number>`count(*)` })
      .from(domainLimits)
      .where(isOfMass)
    expect(found?.count).toBe(10_000)
    await context().db.delete(domainLimits).where(isOfMass)
    await rebuildCachedList(context(), 'limits')
  })
})

describe('the export', () => {
  it('an exported list can be imported again', async () => {
    const domain = freshDomain()
    await domainLimit(domain, 'silence', {
      publicComment: 'Why, "then"',
      privateComment: 'Secret',
      rejectMedia: true,
    })
    const { body } = await as(moderator).get(`${own}/export`)
    const { csv: text, filename } = body as { csv: string; filename: string }
    expect(filename).toMatch(/^domain_blocks-\d{4}-\d{2}-\d{2}\.csv$/)
    expect(text).toContain(`${domain},silence,true,false,"Why, ""then""",false`)
    expect(text).not.toContain('Secret')
    expect((await as(moderator).post(`${own}/import/preview`, { csv: text })).body).toMatchObject({
      added: [],
      conflicts: [],
    })
  })
})
