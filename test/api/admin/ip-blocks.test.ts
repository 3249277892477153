import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditLog, ipBlocks } from '../../../src/db/schema'
import { allScopes } from '../../../src/domain/sessions/scopes'
import { pruneIpBlocks } from '../../../src/domain/sign-up-blocks/ip-blocks'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/admin/ip_blocks'

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageBlocks'] })
})

let networks = 0
/** A network of 256 addresses that no other test names. */
const freshNetwork = () => `10.77.${networks++}.0/24`

async function create(body: Readonly<Record<string, unknown>>) {
  const answer = await as(moderator).post(path, body)
  return { ...answer, id: (answer.body as { id: string }).id }
}

describe('the permission to manage blocks', () => {
  it('moderators do not have the permission for blocks by default, nor the one for federation [T-968]', async () => {
    const byDefault = async (roleId: number) => {
      const holder = await given.account({ user: { roleId }, scopes: allScopes.join(' ') })
      const paths = [
        'ip_blocks',
        'email_domain_blocks',
        'canonical_email_blocks',
        'domain_blocks',
        'domain_allows',
      ]
      return Promise.all(paths.map(async (name) => (await as(holder).get(`/api/v1/admin/${name}`)).status))
    }
    expect(await byDefault(1)).toEqual([403, 403, 403, 403, 403])
    expect(await byDefault(2)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('POST admin/ip_blocks', () => {
  it('blocks a network, and logs the moderator [T-950]', async () => {
    const answer = await create({ ip: '2001:DB8:77::1/48', severity: 'sign_up_block', comment: 'Spam' })
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      ip: '2001:db8:77::/48',
      severity: 'sign_up_block',
      comment: 'Spam',
      created_at: clock.now().toISOString(),
      expires_at: null,
    })
    const { action, username, newValues } = auditLog
    const logged = context()
      .db.select({ action, username, newValues })
      .from(auditLog)
      .where(eq(auditLog.targetLabel, '2001:db8:77::/48'))
    expect(await logged).toMatchObject([
      { action: 'create', username: moderator.username, newValues: { severity: 'sign_up_block' } },
    ])
    expect(answer.costs.trips).toBeLessThanOrEqual(7)
  })

  it.each([
    [{ severity: 'no_access' }, "Validation failed: Ip can't be blank"],
    [{ ip: 'somewhere', severity: 'no_access' }, 'Validation failed: Ip is not a valid network'],
    [{ ip: '10.1.1.1/33', severity: 'no_access' }, 'Validation failed: Ip is not a valid network'],
    [{ ip: '10.1.1.1' }, "Validation failed: Severity can't be blank"],
    [{ ip: '10.1.1.1', severity: 'worse' }, 'Validation failed: Severity is not included in the list'],
    [
      { ip: '10.1.1.1', severity: 'no_access', expires_in: 0 },
      'Validation failed: Expires in must be between 1 and 3155760000 seconds',
    ],
    [
      { ip: '10.1.1.1', severity: 'no_access', comment: 'x'.repeat(2_001) },
      'Validation failed: Comment is too long (maximum is 2000 characters)',
    ],
  ])('POST admin/ip_blocks refuses %j [T-951]', async (body, error) => {
    expect(await as(moderator).post(path, body)).toMatchObject({ status: 422, body: { error } })
  })

  it('POST admin/ip_blocks refuses an invalid lifetime', async () => {
    const body = { ip: '10.1.1.1', severity: 'no_access', expires_in: 'soon' }
    expect((await as(moderator).post(path, body)).status).toBe(422)
  })

  it('refuses a network that is already blocked, in any spelling, until its block ends [T-952]', async () => {
    const taken = { status: 422, body: { error: 'Validation failed: Ip has already been taken' } }
    expect((await create({ ip: '10.78.0.1/24', severity: 'sign_up_block', expires_in: 60 })).status).toBe(200)
    const again = { ip: '::ffff:10.78.0.9/120', severity: 'no_access' }
    expect(await as(moderator).post(path, again)).toMatchObject(taken)
    clock.advance(60_000)
    expect((await as(moderator).post(path, again)).body).toMatchObject({ ip: '10.78.0.0/24' })
  })

  it('creates the block for one of two concurrent moderators', async () => {
    const body = { ip: freshNetwork(), severity: 'sign_up_block' }
    const answers = await Promise.all([as(moderator).post(path, body), as(moderator).post(path, body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('does not lock out the moderator', async () => {
    const headers = { 'cf-connecting-ip': '10.79.3.4' }
    const post = (severity: string) => as(moderator).post(path, { ip: '10.79.0.0/16', severity }, { headers })
    expect(await post('no_access')).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: Ip includes the address that you are using' },
    })
    expect((await post('sign_up_block')).status).toBe(200)
  })
})

describe('PUT admin/ip_blocks/:id', () => {
  it.each(['PUT', 'PATCH'] as const)('%s changes sent values and keeps the rest [T-953]', async (method) => {
    const ip = freshNetwork()
    const { id } = await create({ ip, severity: 'sign_up_block', comment: 'Why', expires_in: 600 })
    const change = async (body: Readonly<Record<string, unknown>>) =>
      (await as(moderator).call(method, `${path}/${id}`, body)).body
    const expiresAt = new Date(clock.now().getTime() + 600_000).toISOString()
    expect(await change({ severity: 'no_access' })).toMatchObject({
      ip,
      severity: 'no_access',
      comment: 'Why',
      expires_at: expiresAt,
    })
    expect(await change({ comment: '', expires_in: 60 })).toMatchObject({
      severity: 'no_access',
      comment: '',
      expires_at: new Date(clock.now().getTime() + 60_000).toISOString(),
    })
    expect(await change({ expires_in: '' })).toMatchObject({ expires_at: null })
  })

  it('refuses invalid values and the network of another block, and answers 404 for unknown blocks', async () => {
    const other = await create({ ip: freshNetwork(), severity: 'sign_up_block' })
    const { id } = await create({ ip: freshNetwork(), severity: 'sign_up_block' })
    const { ip } = other.body as { ip: string }
    expect((await as(moderator).put(`${path}/${id}`, { ip })).status).toBe(422)
    expect((await as(moderator).put(`${path}/${id}`, { severity: 'worse' })).status).toBe(422)
    expect((await as(moderator).put(`${path}/${id}`, { ip: '' })).status).toBe(422)
    expect((await as(moderator).put(`${path}/1`, { comment: 'x' })).status).toBe(404)
  })
})

describe('DELETE admin/ip_blocks/:id', () => {
  it('lifts a block once [T-954]', async () => {
    const { id } = await create({ ip: freshNetwork(), severity: 'sign_up_block' })
    expect(await as(moderator).delete(`${path}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await as(moderator).delete(`${path}/${id}`)).status).toBe(404)
    expect((await as(moderator).get(`${path}/${id}`)).status).toBe(404)
  })
})

describe('GET admin/ip_blocks', () => {
  it('pages from the newest, in few round trips and rows', async () => {
    const made: string[] = []
    for (let count = 0; count < 3; count += 1)
      made.unshift((await create({ ip: freshNetwork(), severity: 'sign_up_block' })).id)
    const ids = (answer: { readonly body: unknown }) => (answer.body as { id: string }[]).map(({ id }) => id)
    const newest = await as(moderator).get(`${path}?limit=2`)
    expect(ids(newest)).toEqual(made.slice(0, 2))
    expect(newest.costs.trips).toBeLessThanOrEqual(3)
    expect(newest.costs.rowsRead).toBeLessThanOrEqual(400)
    expect(ids(await as(moderator).get(newest.links.next ?? ''))[0]).toBe(made[2])
    expect(ids(await as(moderator).get(`${path}?limit=1&min_id=${made[2]}`))).toEqual([made[1]])
    expect((await as(moderator).get(`${path}/${made[0]}`)).body).toMatchObject({ id: made[0] })
  })

  it('deletes expired blocks', async () => {
    const { id } = await create({ ip: freshNetwork(), severity: 'no_access', expires_in: 30 })
    clock.advance(31_000)
    await pruneIpBlocks(context())
    expect(
      await context()
        .db.select()
        .from(ipBlocks)
        .where(eq(ipBlocks.id, Number(id))),
    ).toEqual([])
  })
})
