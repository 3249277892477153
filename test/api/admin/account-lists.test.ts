import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sessions } from '../../../src/db/schema'
import { as, type TestResponse } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { invite } from '../../support/given-invite'
import { givenRole, givenStaff } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const v1 = '/api/v1/admin/accounts'
const v2 = '/api/v2/admin/accounts'
const Names = z.array(z.object({ username: z.string() }))

function namesIn({ body, status }: TestResponse): string[] {
  expect(status).toBe(200)
  return Names.parse(body).map(({ username }) => username)
}

let moderator: TestAccount
/** Part of every name made here, so that others are left out. */
const prefix = freshName('zq')
const named = (rest: string) => `${prefix}${rest}`
const namedIp = (rest: string) => `ip${prefix}${rest}`

beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageUsers'] })
  const now = clock.now()
  await given.account({ username: named('plain'), displayName: 'Pláin Person' })
  await given.account({ username: named('pending'), user: { approved: false, signUpReason: 'Birds' } })
  await given.account({ username: named('disabled'), user: { disabledAt: now } })
  await given.account({ username: named('silenced'), silencedAt: now })
  await given.account({ username: named('suspended'), suspendedAt: now })
  await given.account({ username: named('sensitized'), sensitizedAt: now })
  await given.remoteAccount({ username: named('remote'), domain: `${prefix}.test` })
  await given.remoteAccount({ username: named('gone'), domain: `${prefix}.test`, suspendedAt: now })
})

const search = async (path: string, query: string) =>
  namesIn(await as(moderator).get(`${path}?username=${prefix}${query === '' ? '' : `&${query}`}`))
    .map((name) => name.slice(prefix.length))
    .toSorted()

describe('GET /api/v1/admin/accounts', () => {
  it('shows local accounts that are not suspended, unless requested otherwise [T-820]', async () => {
    expect(await search(v1, '')).toEqual(['disabled', 'pending', 'plain', 'sensitized', 'silenced'])
  })

  it.each([
    ['local=true', ['disabled', 'pending', 'plain', 'sensitized', 'silenced']],
    ['remote=true', ['remote']],
    ['remote=true&suspended=true', ['gone']],
    ['active=true', ['disabled', 'pending', 'plain', 'sensitized', 'silenced']],
    ['pending=true', ['pending']],
    ['disabled=true', ['disabled']],
    ['silenced=true', ['silenced']],
    ['suspended=true', ['suspended']],
    ['sensitized=true', ['sensitized']],
    [`by_domain=${prefix}.test`, ['remote']],
    [`by_domain=${prefix.toUpperCase()}.TEST&suspended=1`, ['gone']],
    ['display_name=plain', ['plain']],
    ['display_name=person', []],
    ['staff=true', []],
    ['ip=nonsense', []],
  ])('GET /api/v1/admin/accounts filters by %s [T-821]', async (query, expected) => {
    expect(await search(v1, query)).toEqual(expected)
  })
})

describe('GET /api/v2/admin/accounts', () => {
  it('shows all accounts, local and remote, in any state [T-822]', async () => {
    expect(await search(v2, '')).toEqual(
      ['disabled', 'gone', 'pending', 'plain', 'remote', 'sensitized', 'silenced', 'suspended'].toSorted(),
    )
  })

  it.each([
    ['origin=local&status=active', ['disabled', 'pending', 'plain', 'sensitized', 'silenced']],
    ['origin=remote', ['gone', 'remote']],
    ['status=pending', ['pending']],
    ['status=disabled', ['disabled']],
    ['status=silenced', ['silenced']],
    ['status=suspended', ['gone', 'suspended']],
    ['status=sensitized', ['sensitized']],
    [
      'status=&origin=',
      ['disabled', 'gone', 'pending', 'plain', 'remote', 'sensitized', 'silenced', 'suspended'],
    ],
    [`by_domain=${prefix}.test`, ['gone', 'remote']],
  ])('GET /api/v2/admin/accounts filters by %s', async (query, expected) => {
    expect(await search(v2, query)).toEqual(expected)
  })

  it('filters by role, and by roles that can manage reports [T-823]', async () => {
    const roleId = await givenRole({ permissions: ['manageReports'] })
    const other = await givenRole({ permissions: ['manageUsers'] })
    const reporter = await given.account({ user: { roleId } })
    const keeper = await given.account({ user: { roleId: other } })
    const ofRole = namesIn(await as(moderator).get(`${v2}?role_ids[]=${roleId}&role_ids[]=${other}`))
    expect(ofRole).toEqual([keeper.username, reporter.username])
    const staff = namesIn(await as(moderator).get(`${v2}?permissions=staff`))
    expect(staff).toContain(reporter.username)
    expect(staff).not.toContain(keeper.username)
    expect(namesIn(await as(moderator).get(`${v1}?staff=true&username=${reporter.username}`))).toEqual([
      reporter.username,
    ])
  })

  it('filters by inviter, and names the inviter [T-824]', async () => {
    const alice = await given.account()
    const { id: inviteId } = await invite(alice)
    const guest = await given.account({ user: { inviteId } })
    const answer = await as(moderator).get(`${v2}?invited_by=${alice.id}`)
    expect(answer.body).toMatchObject([{ username: guest.username, invited_by_account_id: String(alice.id) }])
  })

  it('filters by the beginning of the e-mail address', async () => {
    const bird = await given.account({ user: { email: `${named('Bird')}@mail.test` } })
    const found = namesIn(await as(moderator).get(`${v2}?email=${named('bIRD')}`))
    expect(found).toEqual([bird.username])
  })

  it.each([
    ['198.51.100.7', ['signed', 'seen']],
    ['198.51.100.0/28', ['signed', 'seen', 'near']],
    ['198.51.100.8/29', ['near']],
    ['2001:db8:7::/64', ['six']],
    ['2001:db8:7::1', ['six']],
    ['::ffff:198.51.100.7', ['signed', 'seen']],
    ['198.51.100.999', []],
    ['198.51.100.7/40', []],
    ['10', []],
  ])('filters by the IP address of sign-up and sessions: %s', async (ip, expected) => {
    const found = namesIn(await as(moderator).get(`${v2}?ip=${encodeURIComponent(ip)}`))
    expect(found.map((name) => name.slice(namedIp('').length)).toSorted()).toEqual([...expected].toSorted())
  })

  beforeAll(async () => {
    const { db, ids } = context()
    const seen = await given.account({ username: namedIp('seen') })
    const six = await given.account({ username: namedIp('six') })
    for (const [accountId, ip] of [
      [seen.id, '198.51.100.7'],
      [six.id, '2001:db8:7::1'],
      [six.id, '2001:db8:77::1'],
    ] as const)
      await db.insert(sessions).values({
        id: ids.next(),
        tokenHash: freshName('hash'),
        accountId,
        ip,
        createdAt: clock.now(),
        lastSeenAt: clock.now(),
        expiresAt: clock.now(),
      })
    await given.account({ username: namedIp('signed'), user: { signUpIp: '198.51.100.7' } })
    await given.account({ username: namedIp('near'), user: { signUpIp: '198.51.100.9' } })
  })

  it('finds display names of punctuation only, and names with search operators', async () => {
    await given.account({ username: named('frog'), displayName: '🐸🐸' })
    expect(await search(v2, `display_name=${encodeURIComponent('🐸')}`)).toEqual(['frog'])
    for (const text of ['"', "a'b", '*', 'a" OR "b', '^', '%'])
      expect(await search(v2, `display_name=${encodeURIComponent(text)}`)).toEqual([])
  })

  it('pages by id, newest first, in both directions [T-825]', async () => {
    const query = `${v2}?username=${prefix}&limit=3`
    const first = await as(moderator).get(query)
    const second = await as(moderator).get(first.links.next ?? '')
    const back = await as(moderator).get(second.links.prev ?? '')
    expect(namesIn(second)).toHaveLength(3)
    expect(namesIn(back)).toEqual(namesIn(first))
    expect(first.links.next).toContain('max_id=')
    expect(first.links.prev).toContain('min_id=')
    expect((await as(moderator).get(`${query}&limit=0`)).body).toEqual([])
  })

  it('leaves out the instance actor', async () => {
    const all = namesIn(await as(moderator).get(`${v2}?origin=local&min_id=0`))
    expect(all.length).toBeGreaterThan(5)
    expect(all).not.toContain('fieldfare.test')
  })

  it('GET /api/v2/admin/accounts refuses undocumented values', async () => {
    for (const query of ['origin=moon', 'status=odd', 'permissions=all', `email=${'x'.repeat(201)}`])
      expect((await as(moderator).get(`${v2}?${query}`)).status, query).toBe(422)
  })

  it('shows the moderators’ view of an account', async () => {
    const answer = await as(moderator).get(`${v2}?username=${named('pending')}`)
    expect(answer.body).toMatchObject([
      { username: named('pending'), approved: false, invite_request: 'Birds', disabled: false, domain: null },
    ])
    const [remote] = z
      .array(z.object({ email: z.null(), domain: z.string(), role: z.null() }))
      .parse((await as(moderator).get(`${v2}?username=${named('remote')}`)).body)
    expect(remote?.domain).toBe(`${prefix}.test`)
  })
})

describe('GET /api/v1/admin/accounts/:id', () => {
  it('shows one account, and answers 404 for an unknown one [T-835]', async () => {
    const alice = await given.account()
    const answer = await as(moderator).get(`${v1}/${alice.id}`)
    expect(answer).toMatchObject({ status: 200, body: { id: String(alice.id), email: alice.email } })
    expect((await as(moderator).get(`${v1}/7`)).status).toBe(404)
  })
})
