import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { accounts, auditLog } from '../../../src/db/schema'
import { sha256Hex } from '../../../src/lib/secrets'
import { as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/admin/domain_blocks'
const freshDomain = () => `${freshName('blocked')}.test`

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageFederation'] })
})

async function create(body: Readonly<Record<string, unknown>>) {
  const answer = await as(moderator).post(path, body)
  return { ...answer, id: (answer.body as { id: string }).id }
}

function audited(domain: string) {
  const { action, username, oldValues, newValues } = auditLog
  return context()
    .db.select({ action, username, oldValues, newValues })
    .from(auditLog)
    .where(eq(auditLog.targetLabel, domain))
    .orderBy(auditLog.id)
}

describe('POST admin/domain_blocks', () => {
  it('limits a server with its subdomains, silence by default [T-861]', async () => {
    const domain = freshDomain()
    const there = await given.remoteAccount({ domain: `social.${domain}` })
    const answer = await create({ domain })
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      domain,
      digest: await sha256Hex(domain),
      created_at: clock.now().toISOString(),
      severity: 'silence',
      reject_media: false,
      reject_reports: false,
      private_comment: null,
      public_comment: null,
      obfuscate: false,
    })
    const [account] = await context().db.select().from(accounts).where(eq(accounts.id, there.id))
    expect(account?.silencedAt).toEqual(clock.now())
    expect(await audited(domain)).toMatchObject([{ action: 'create', username: moderator.username }])
  })

  it('POST admin/domain_blocks stores every value', async () => {
    const values = {
      severity: 'noop',
      reject_media: true,
      reject_reports: true,
      obfuscate: true,
      private_comment: 'For us',
      public_comment: 'For all',
    }
    const { id, body } = await create({ domain: freshDomain(), ...values })
    expect(body).toMatchObject(values)
    expect((await as(moderator).get(`${path}/${id}`)).body).toEqual(body)
  })

  it('normalises names, also in other alphabets', async () => {
    const name = freshName('server')
    const { body } = await create({ domain: `  Bücher.${name.toUpperCase()}.TEST./` })
    expect(body).toMatchObject({ domain: `xn--bcher-kva.${name}.test` })
  })

  it('refuses a block where an equal or stricter one on the domain or a parent exists, and names it [T-862]', async () => {
    const domain = freshDomain()
    const parent = await create({ domain, severity: 'silence', public_comment: 'Spam' })
    for (const [below, severity] of [
      [domain, 'silence'],
      [domain, 'suspend'],
      [`a.${domain}`, 'silence'],
      [`b.a.${domain}`, 'noop'],
    ])
      expect(await as(moderator).post(path, { domain: below, severity })).toMatchObject({
        status: 422,
        body: {
          error: `You have already imposed stricter limits on ${domain}.`,
          existing_domain_block: parent.body,
        },
      })
    expect(await audited(`a.${domain}`)).toEqual([])
    expect((await create({ domain: `a.${domain}`, severity: 'suspend' })).status).toBe(200)
    expect((await create({ domain: `c.${domain}`, reject_media: true })).status).toBe(200)
    expect((await create({ domain: `d.a.${domain}`, severity: 'suspend' })).status).toBe(422)
  })

  it.each([
    [{}, "Validation failed: Domain can't be blank"],
    [{ domain: ' ' }, "Validation failed: Domain can't be blank"],
    [{ domain: 'two words' }, 'Validation failed: Domain is not a valid domain name'],
    [{ domain: 'evil.test/path' }, 'Validation failed: Domain is not a valid domain name'],
    [{ domain: 'evil.test:8443' }, 'Validation failed: Domain is not a valid domain name'],
    [{ domain: 'evil.test', severity: 'worse' }, 'Validation failed: Severity is not included in the list'],
    [
      { domain: 'evil.test', public_comment: 'x'.repeat(2_001) },
      'Validation failed: Public comment is too long (maximum is 2000 characters)',
    ],
    [{ domain: 'fieldfare.test' }, 'Validation failed: Domain is that of this server, or a parent of it'],
    [{ domain: 'co.uk' }, 'Validation failed: Domain is a public suffix, shared by unrelated servers'],
    [{ domain: 'GitHub.io' }, 'Validation failed: Domain is a public suffix, shared by unrelated servers'],
    [{ domain: 'org' }, 'Validation failed: Domain is a public suffix, shared by unrelated servers'],
  ])('POST admin/domain_blocks refuses %j [T-863]', async (body, error) => {
    expect(await as(moderator).post(path, body)).toMatchObject({ status: 422, body: { error } })
  })

  it('refuses a parent of the own domain', async () => {
    const config = { ...context().config, ownDomains: ['social.example.org'] }
    const options = { overrides: { config } }
    const answer = await as(moderator).post(path, { domain: 'example.org' }, options)
    expect(answer.status).toBe(422)
    const beside = `${freshName('beside')}.example.org`
    expect((await as(moderator).post(path, { domain: beside }, options)).status).toBe(200)
  })

  it('creates one block for two concurrent moderators', async () => {
    const domain = freshDomain()
    const both = await Promise.all([create({ domain }), create({ domain, severity: 'suspend' })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    expect([409, 422]).toContain(Math.max(...both.map(({ status }) => status)))
    expect(await audited(domain)).toHaveLength(1)
  })
})

describe('PUT admin/domain_blocks/:id', () => {
  it('changes the severity and keeps the comments [T-864]', async () => {
    const domain = freshDomain()
    const there = await given.remoteAccount({ domain })
    const comments = { private_comment: 'For us', public_comment: 'For all' }
    const { id } = await create({ domain, ...comments, reject_media: true })
    clock.advance(1_000)
    const { body } = await as(moderator).put(`${path}/${id}`, { severity: 'suspend' })
    expect(body).toMatchObject({ id, severity: 'suspend', reject_media: true, ...comments })
    const [account] = await context().db.select().from(accounts).where(eq(accounts.id, there.id))
    expect(account).toMatchObject({ silencedAt: null, suspendedAt: clock.now() })
    expect(await audited(domain)).toMatchObject([
      { action: 'create' },
      { action: 'update', oldValues: { severity: 'silence' }, newValues: { severity: 'suspend' } },
    ])
  })

  it('clears comments and flags, also with PATCH', async () => {
    const { id } = await create({ domain: freshDomain(), public_comment: 'Why', reject_media: true })
    const { body } = await as(moderator).patch(`${path}/${id}`, { public_comment: '', reject_media: false })
    expect(body).toMatchObject({ public_comment: null, reject_media: false, severity: 'silence' })
  })

  it('logs nothing where nothing changes', async () => {
    const domain = freshDomain()
    const { id } = await create({ domain })
    expect((await as(moderator).put(`${path}/${id}`, { severity: 'silence' })).status).toBe(200)
    expect(await audited(domain)).toHaveLength(1)
  })

  it('refuses an invalid severity, and an unknown block [T-865]', async () => {
    const { id } = await create({ domain: freshDomain() })
    expect((await as(moderator).put(`${path}/${id}`, { severity: 'worse' })).status).toBe(422)
    expect((await as(moderator).put(`${path}/1`, { severity: 'noop' })).status).toBe(404)
  })
})

describe('DELETE admin/domain_blocks/:id', () => {
  it('lifts the limit and returns an empty object, once [T-866]', async () => {
    const domain = freshDomain()
    const there = await given.remoteAccount({ domain })
    const { id } = await create({ domain })
    expect(await as(moderator).delete(`${path}/${id}`)).toMatchObject({ status: 200, body: {} })
    const [account] = await context().db.select().from(accounts).where(eq(accounts.id, there.id))
    expect(account?.silencedAt).toBeNull()
    expect((await as(moderator).delete(`${path}/${id}`)).status).toBe(404)
    expect((await as(moderator).get(`${path}/${id}`)).status).toBe(404)
    expect(await audited(domain)).toMatchObject([{ action: 'create' }, { action: 'delete' }])
  })
})

describe('GET admin/domain_blocks', () => {
  it('pages newest first, 100 by default and 500 at most, within its costs', async () => {
    for (let left = 110; left > 0; left -= 1) await domainLimit(freshDomain(), 'noop')
    const first = await as(moderator).get(path)
    const ids = (first.body as { id: string }[]).map(({ id }) => Number(id))
    expect(ids).toHaveLength(100)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(first.costs.trips).toBeLessThanOrEqual(1)
    expect(first.costs.rowsRead).toBeLessThanOrEqual(400)
    const older = await as(moderator).get(first.links.next ?? '')
    expect((older.body as { id: string }[])[0]?.id).not.toBe(String(ids.at(-1)))
    const newer = await as(moderator).get(`${older.links.prev}`)
    expect((newer.body as { id: string }[]).map(({ id }) => Number(id))).toEqual(ids)
    const all = await as(moderator).get(`${path}?limit=1000`)
    expect((all.body as unknown[]).length).toBeGreaterThan(100)
    expect((all.body as unknown[]).length).toBeLessThanOrEqual(500)
  })
})

describe('admin/domain_allows', () => {
  const allows = '/api/v1/admin/domain_allows'

  it('adds a domain, or returns the existing entry [T-867]', async () => {
    const domain = freshDomain()
    const { body } = await as(moderator).post(allows, { domain: domain.toUpperCase() })
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      domain,
      created_at: clock.now().toISOString(),
    })
    clock.advance(1_000)
    expect(await as(moderator).post(allows, { domain })).toMatchObject({ status: 200, body })
    const { id } = body as { id: string }
    expect((await as(moderator).get(`${allows}/${id}`)).body).toEqual(body)
    expect((await as(moderator).get(`${allows}?limit=1`)).body).toEqual([body])
    expect(await as(moderator).delete(`${allows}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(moderator).delete(`${allows}/${id}`)).status).toBe(404)
    expect((await as(moderator).get(`${allows}/${id}`)).status).toBe(404)
    expect(await audited(domain)).toMatchObject([{ action: 'create' }, { action: 'delete' }])
  })

  it('refuses an invalid and a missing domain [T-868]', async () => {
    expect((await as(moderator).post(allows, { domain: 'two words' })).status).toBe(422)
    expect((await as(moderator).post(allows, {})).status).toBe(422)
  })
})
