import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditLog } from '../../../src/db/schema'
import { sha256Hex } from '../../../src/lib/secrets'
import { as } from '../../support/as'
import { freshName, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const domains = '/api/v1/admin/email_domain_blocks'
const addresses = '/api/v1/admin/canonical_email_blocks'

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageBlocks'] })
})

const idOf = ({ body }: { readonly body: unknown }) => (body as { id: string }).id

describe('admin/email_domain_blocks', () => {
  it('blocks a domain, shows it, and lifts the block [T-955]', async () => {
    const domain = `${freshName('mail')}.test`
    const answer = await as(moderator).post(domains, { domain: ` @${domain.toUpperCase()} ` })
    const day = Math.floor(clock.now().getTime() / 86_400_000)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      domain,
      created_at: clock.now().toISOString(),
      history: [0, 1, 2, 3, 4, 5, 6].map((ago) => ({
        day: String((day - ago) * 86_400),
        accounts: '0',
        uses: '0',
      })),
      allow_with_approval: false,
    })
    const id = idOf(answer)
    expect((await as(moderator).get(`${domains}/${id}`)).body).toEqual(answer.body)
    const listed = await as(moderator).get(`${domains}?limit=1`)
    expect(listed.body).toEqual([answer.body])
    expect(listed.costs.trips).toBeLessThanOrEqual(3)
    expect(listed.costs.rowsRead).toBeLessThanOrEqual(400)
    expect(await as(moderator).delete(`${domains}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(moderator).delete(`${domains}/${id}`)).status).toBe(404)
    const logged = context().db.select().from(auditLog).where(eq(auditLog.targetLabel, domain))
    expect((await logged).map(({ action }) => action)).toEqual(['create', 'delete'])
  })

  it('admin/email_domain_blocks can only require approval', async () => {
    const domain = `${freshName('mail')}.test`
    const { body } = await as(moderator).post(domains, { domain, allow_with_approval: 'true' })
    expect(body).toMatchObject({ allow_with_approval: true })
  })

  it.each([
    [{}, "Domain can't be blank"],
    [{ domain: '  ' }, "Domain can't be blank"],
    [{ domain: 'two words' }, 'Domain is not a valid domain name'],
    [{ domain: 'mail.test:25' }, 'Domain is not a valid domain name'],
    [{ domain: 'mail.test/x' }, 'Domain is not a valid domain name'],
  ])('admin/email_domain_blocks refuses %j [T-956]', async (body, problem) => {
    expect(await as(moderator).post(domains, body)).toMatchObject({
      status: 422,
      body: { error: `Validation failed: ${problem}` },
    })
  })

  it('refuses a duplicate, also of two moderators at once [T-957]', async () => {
    const body = { domain: `${freshName('mail')}.test` }
    const answers = await Promise.all([as(moderator).post(domains, body), as(moderator).post(domains, body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await as(moderator).post(domains, body)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Domain has already been taken' },
    })
  })
})

describe('admin/canonical_email_blocks', () => {
  it('blocks an address in every spelling, and shows none [T-958]', async () => {
    const name = freshName('spammer')
    const answer = await as(moderator).post(addresses, {
      email: `${name[0]}.${name.slice(1)}+news@Mail.test`,
      canonical_email_hash: 'f'.repeat(64),
    })
    const hash = await sha256Hex(`${name}@mail.test`)
    expect(answer.body).toEqual({ id: expect.stringMatching(/^\d+$/), canonical_email_hash: hash })
    const met = async (email: string) => (await as(moderator).post(`${addresses}/test`, { email })).body
    expect(await met(`${name.toUpperCase()}@mail.TEST`)).toEqual([answer.body])
    expect(await met(`${name}@other.test`)).toEqual([])
    const id = idOf(answer)
    expect((await as(moderator).get(`${addresses}/${id}`)).body).toEqual(answer.body)
    expect((await as(moderator).get(`${addresses}?limit=1`)).body).toEqual([answer.body])
    expect(await as(moderator).delete(`${addresses}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(moderator).get(`${addresses}/${id}`)).status).toBe(404)
    const log = await context().db.select().from(auditLog).where(eq(auditLog.targetLabel, hash))
    expect(log.map(({ action }) => action)).toEqual(['create', 'delete'])
    expect(JSON.stringify(log)).not.toContain(`${name}@`)
  })

  it('accepts a hash in place of the address', async () => {
    const hash = await sha256Hex(freshName('hash'))
    const post = () => as(moderator).post(addresses, { canonical_email_hash: hash.toUpperCase() })
    expect((await post()).body).toMatchObject({ canonical_email_hash: hash })
    expect((await post()).status).toBe(422)
  })

  it.each([
    [{}, "Canonical email hash can't be blank"],
    [{ email: 'nobody' }, 'Email is not a valid e-mail address'],
    [{ canonical_email_hash: 'abc' }, 'Canonical email hash is not a SHA-256 in hex'],
  ])('admin/canonical_email_blocks refuses %j [T-959]', async (body, problem) => {
    expect(await as(moderator).post(addresses, body)).toMatchObject({
      status: 422,
      body: { error: `Validation failed: ${problem}` },
    })
  })

  it('admin/canonical_email_blocks matches no blank address [T-960]', async () => {
    expect((await as(moderator).post(`${addresses}/test`, {})).status).toBe(400)
    expect((await as(moderator).post(`${addresses}/test`, { email: ' ' })).status).toBe(400)
  })
})
