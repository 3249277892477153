import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { AdminSignIn } from '../../../src/contract/entities/admin/sign-up'
import { auditLog } from '../../../src/db/schema'
import { as } from '../../support/as'
import { Browser } from '../../support/browser'
import { fakeMailer } from '../../support/fake-mailer'
import { given, type TestAccount } from '../../support/given'
import { givenRole, givenStaff } from '../../support/given-staff'
import { password } from '../../support/members'
import { context } from '../../support/test-app'
import { givenTotp } from '../../support/two-factor'

const pathOf = ({ id }: { readonly id: number }, name = 'sign_in') =>
  `/api/fieldfare/v1/admin/accounts/${id}/${name}`

describe('sign-in of a member', () => {
  let moderator: TestAccount
  beforeAll(async () => {
    moderator = await givenStaff({ permissions: ['manageUsers'] })
  })

  const auditOf = async (member: { readonly id: number }) => {
    const found = await context().db.select().from(auditLog).where(eq(auditLog.targetId, member.id))
    return found.map(({ action, username, newValues }) => [action, username, newValues])
  }

  it('sign-in of a member is shown to moderators, who exempt one member from the mailed code', async () => {
    const { member } = await givenTotp()
    const shown = await as(moderator).get(pathOf(member))
    expect(AdminSignIn.parse(shown.body)).toEqual({
      account_id: String(member.id),
      two_factor_enabled: true,
      skip_sign_in_token: false,
    })
    expect(shown.costs.trips).toBeLessThanOrEqual(1)
    for (const [skip, verb] of [
      [true, 'put'],
      [true, 'patch'],
      [false, 'patch'],
    ] as const) {
      const answer = await as(moderator)[verb](pathOf(member), { skip_sign_in_token: skip })
      expect(answer).toMatchObject({ status: 200, body: { skip_sign_in_token: skip } })
    }
    await as(moderator).put(pathOf(member), {})
    expect(await auditOf(member)).toEqual([
      ['update', moderator.username, { skip_sign_in_token: true }],
      ['update', moderator.username, { skip_sign_in_token: false }],
    ])
  })

  it('a moderator removes every second factor once, and the member gets a mail', async () => {
    const { member } = await givenTotp()
    const office = fakeMailer()
    const remove = () =>
      as(moderator).delete(pathOf(member, 'two_factor'), undefined, { overrides: office.overrides })
    for (let count = 0; count < 2; count += 1) expect(await remove()).toMatchObject({ status: 200, body: {} })
    expect((await office.deliver()).map(({ to }) => to)).toEqual([member.email])
    expect((await as(moderator).get(pathOf(member))).body).toMatchObject({ two_factor_enabled: false })
    expect(await auditOf(member)).toEqual([['disable_2fa', moderator.username, {}]])
    expect((await new Browser().signIn(member.username, password)).location).toBe('/home')
  })

  it('requires a higher role, and concerns members only', async () => {
    const roleId = await givenRole({ position: 9_999, permissions: [] })
    const equal = await given.account({ user: { roleId } })
    const remote = await given.remoteAccount()
    for (const [target, status] of [
      [equal, 403],
      [remote, 404],
      [{ id: 7 }, 404],
    ] as const) {
      const answers = [
        await as(moderator).put(pathOf(target), { skip_sign_in_token: true }),
        await as(moderator).patch(pathOf(target), {}),
        await as(moderator).delete(pathOf(target, 'two_factor')),
      ]
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
    }
    expect(await auditOf(equal)).toEqual([])
  })
})
