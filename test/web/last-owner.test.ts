import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../src/db/schema'
import { ownerRole } from '../../src/domain/policy/owners'
import { as } from '../support/as'
import { textOf } from '../support/browser'
import { type AccountOptions, given } from '../support/given'
import { password, signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const decide = ({ id }: { readonly id: number }, what: string) =>
  setup.post(`/api/v1/admin/accounts/${id}/${what}`)
const giveRole = ({ id }: { readonly id: number }, role: string | null) =>
  setup.put(`/api/fieldfare/v1/admin/accounts/${id}/role`, { role_id: role })
const ownerOf = (user: AccountOptions['user'] = {}) => given.account({ user: { ...user, roleId: ownerRole } })

async function userOf({ id }: { readonly id: number }) {
  const [user] = await context().db.select().from(users).where(eq(users.accountId, id))
  return user
}

async function usableOwners() {
  const owners = await context().db.select().from(users).where(eq(users.roleId, ownerRole))
  return owners.filter(({ disabledAt }) => disabledAt === null).length
}

// Owners that other tests made would stand in for those of these tests.
beforeEach(async () => {
  await context().db.update(users).set({ roleId: null }).where(sql`role_id = ${ownerRole}`)
})

const losses = [
  {
    what: 'disable',
    lose: ({ id }: { readonly id: number }) =>
      setup.post(`/api/v1/admin/accounts/${id}/action`, { type: 'disable' }),
  },
  { what: 'no role', lose: (owner: { readonly id: number }) => giveRole(owner, null) },
  { what: 'another role', lose: (owner: { readonly id: number }) => giveRole(owner, '2') },
]

describe.each(losses)('$what', ({ lose }) => {
  it('the action is refused for the last owner, who keeps everything', async () => {
    const owner = await ownerOf()
    const { username } = owner
    const answer = await lose(owner)
    expect([answer.status, answer.body]).toEqual([
      409,
      { error: `${username} is the last owner of this server: give somebody else the role owner first` },
    ])
    expect(await userOf(owner)).toMatchObject({ roleId: ownerRole, disabledAt: null })
  })

  it('works for an owner where there is another', async () => {
    const [owner, _other] = [await ownerOf(), await ownerOf()]
    expect((await lose(owner)).status).toBe(200)
    expect(await usableOwners()).toBe(1)
  })

  it.each([
    ['disabled', { disabledAt: clock.now() }],
    ['unconfirmed', { confirmedAt: null }],
    ['waiting for approval', { approved: false }],
  ])('counts no other owner who is %s', async (_, user) => {
    const [owner, _other] = [await ownerOf(), await ownerOf(user)]
    expect((await lose(owner)).status).toBe(409)
  })

  it('counts no other owner who is suspended', async () => {
    const owner = await ownerOf()
    await given.account({ suspendedAt: clock.now(), user: { roleId: ownerRole } })
    expect((await lose(owner)).status).toBe(409)
  })

  it('keeps one of two owners when both are removed at once', async () => {
    const owners = [await ownerOf(), await ownerOf()]
    const answers = await Promise.all(owners.map(lose))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await usableOwners()).toBe(1)
  })
})

describe('the last owner', () => {
  it('the last owner can be given the role owner again, and be unlocked', async () => {
    const owner = await ownerOf()
    expect((await giveRole(owner, String(ownerRole))).status).toBe(200)
    expect((await decide(owner, 'enable')).status).toBe(200)
  })

  it('the last owner is not rejected while waiting for approval', async () => {
    const owner = await ownerOf({ approved: false })
    expect((await decide(owner, 'reject')).status).toBe(409)
    expect(await userOf(owner)).toBeDefined()
  })

  it('the last owner cannot delete the account, and one of several owners can', async () => {
    const { member, browser } = await signedIn({ user: { roleId: ownerRole } })
    const leave = () => browser.fill('/settings/delete', { current_password: password })
    const refused = await leave()
    expect(refused.status).toBe(422)
    expect(textOf(refused.html)).toContain('belongs to the last owner of the server')
    expect(await userOf(member)).toBeDefined()
    await ownerOf()
    expect((await leave()).location).toBe('/auth/sign_in?done=deleted')
    expect(await userOf(member)).toBeUndefined()
  })

  it('one owner remains when two owners delete their accounts at once', async () => {
    const [one, two] = [
      await signedIn({ user: { roleId: ownerRole } }),
      await signedIn({ user: { roleId: ownerRole } }),
    ]
    const answers = await Promise.all(
      [one, two].map(({ browser }) => browser.fill('/settings/delete', { current_password: password })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422])
    expect(await usableOwners()).toBe(1)
  })
})
