import { describe, expect, it } from 'vitest'
import { hasPermission } from '../../../src/domain/policy/permissions'
import { type AccountOptions, given } from '../../support/given'
import { viewerOf } from '../../support/given-status'

async function permissionsOf(options: AccountOptions) {
  return (await viewerOf(await given.account(options))).permissions
}

describe('the permissions of a token’s account', () => {
  it('are those of the base role for users without a role', async () => {
    expect(await permissionsOf({})).toBe(65_536)
  })

  it('are those of the role and of the base role together', async () => {
    expect(await permissionsOf({ user: { roleId: 1 } })).toBe(1_308 | 65_536)
  })

  it('are complete for administrators, whatever else their role has', async () => {
    const owner = await permissionsOf({ user: { roleId: 3 } })
    expect(owner).toBe(2_097_151)
    expect(hasPermission(owner, 'inviteUsers')).toBe(true)
  })
})
