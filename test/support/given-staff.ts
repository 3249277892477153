import { roles } from '../../src/db/schema'
import { type Permission, permissions } from '../../src/domain/policy/permissions'
import { allScopes } from '../../src/domain/sessions/scopes'
import { freshName, given, type TestAccount } from './given'
import { clock, context } from './test-app'

/** Position of the moderators made here; `lower` and `higher` roles stand around it. */
export const staffPosition = 50

/** A role with these permissions. Returns its id. */
export async function givenRole(
  options: {
    readonly permissions?: readonly Permission[]
    readonly position?: number
    readonly highlighted?: boolean
  } = {},
): Promise<number> {
  const ctx = context()
  const id = ctx.ids.next()
  const now = clock.now()
  await ctx.db.insert(roles).values({
    id,
    name: freshName('role'),
    position: options.position ?? staffPosition,
    highlighted: options.highlighted ?? false,
    permissions: (options.permissions ?? []).reduce((bits, name) => bits | permissions[name], 0),
    createdAt: now,
    updatedAt: now,
  })
  return id
}

/** A staff member with these permissions and a token of all scopes. */
export async function givenStaff(
  options: {
    readonly permissions?: readonly Permission[]
    readonly position?: number
    readonly scopes?: string
  } = {},
): Promise<TestAccount> {
  const roleId = await givenRole(options)
  return given.account({ user: { roleId }, scopes: options.scopes ?? allScopes.join(' ') })
}

/** The owner: every permission, and above every other role. */
export function givenOwner(): Promise<TestAccount> {
  return given.account({ user: { roleId: 3 }, scopes: allScopes.join(' ') })
}
