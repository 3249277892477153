import { describe, expect, it } from 'vitest'
import { hasPermission } from '../../../src/domain/policy/permissions'
import { type AccountOptions, given } from '../../support/given'
import { viewerOf } from '../../support/given-status'

async function permissionsOf(options: AccountOptions) {
  return (await viewerOf(await given.account(options))).permissions
}

describe('the permissions of a token’s account', () => {
  it('a user without a role has the permissions of the base role', async () => {
    expect(await permissionsOf({})).toBe(65_536)
  })

  it('a role adds its permissions to those of the base role', async () => {
    expect(await permissionsOf({ user: { roleId: 1 } })).toBe(1_308 | 65_536)
  })

  it('an administrator has every permission, whatever else the role has', async () => {
    const owner = await permissionsOf({ user: { roleId: 3 } })
    expect(owner).toBe(2_097_151)
    expect(hasPermission(owner, 'inviteUsers')).toBe(true)
  })
})
