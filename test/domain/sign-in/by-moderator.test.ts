import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { auditLog, totpSecrets } from '../../../src/db/schema'
import type { Moderator } from '../../../src/domain/core/viewer'
import { operator, permissions } from '../../../src/domain/policy/permissions'
import { disableTwoFactor, setSkipSignInToken } from '../../../src/domain/sign-in/by-moderator'
import { Forbidden, NotFound } from '../../../src/errors'
import { givenRole } from '../../support/given-staff'
import { context } from '../../support/test-app'
import { givenTotp } from '../../support/two-factor'

const moderator = (position: number, bits: number = permissions.manageUsers): Moderator => ({
  accountId: null,
  username: 'ada',
  permissions: bits,
  position,
  ip: '192.0.2.1',
})

const hasTotp = async (accountId: number) =>
  (await context().db.select().from(totpSecrets).where(eq(totpSecrets.accountId, accountId))).length > 0

const auditOf = (accountId: number) =>
  context().db.select().from(auditLog).where(eq(auditLog.targetId, accountId))

describe('a moderator who removes the second factors of a member', () => {
  it('requires the permission, and a higher role', async () => {
    const { member } = await givenTotp({ user: { roleId: await givenRole({ position: 20 }) } })
    for (const one of [moderator(20), moderator(19), moderator(99, 0)]) {
      await expect(disableTwoFactor(context(), one, member.id)).rejects.toThrow(Forbidden)
      await expect(setSkipSignInToken(context(), one, member.id, true)).rejects.toThrow(Forbidden)
    }
    expect([await hasTotp(member.id), await auditOf(member.id)]).toEqual([true, []])
    await disableTwoFactor(context(), moderator(21), member.id)
    expect(await hasTotp(member.id)).toBe(false)
  })

  it('logs the removal once', async () => {
    const { member } = await givenTotp()
    for (let count = 0; count < 2; count += 1) {
      await disableTwoFactor(context(), operator, member.id)
      await setSkipSignInToken(context(), operator, member.id, true)
    }
    expect((await auditOf(member.id)).map(({ action, newValues }) => [action, newValues])).toEqual([
      ['disable_2fa', {}],
      ['update', { skip_sign_in_token: true }],
    ])
  })

  it('finds no member for remote and other accounts', async () => {
    await expect(disableTwoFactor(context(), operator, 1)).rejects.toThrow(NotFound)
    await expect(setSkipSignInToken(context(), operator, 1, true)).rejects.toThrow(NotFound)
  })
})
