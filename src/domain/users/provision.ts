import { sql } from 'drizzle-orm'
import { users } from '../../db/schema'
import { Conflict, validationFailed } from '../../errors'
import type { AccountId, RoleId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { ownerRole } from '../policy/owners'
import { addMember } from './create-member'
import { isUsername, usernameLimit } from './names'

export interface Provisioned {
  readonly accountId: AccountId
  readonly username: string
  readonly password: string
}

export interface ProvisionOrder {
  readonly username: string
  readonly displayName?: string | undefined
  readonly email?: string | undefined
}

/** Creates the owner's account, with a generated password. `Conflict` when there is an owner. */
export function createOwner(ctx: Ctx, order: ProvisionOrder): Promise<Provisioned> {
  const noOwner = sql`not exists (select 1 from ${users} where ${users.roleId} = ${ownerRole})`
  return provision(ctx, order, ownerRole, (changes) =>
    changes.require(noOwner, new Conflict('This instance has an owner already')),
  )
}

/** Creates an ordinary account, confirmed and approved, for demonstrations and measurements. */
export function createMember(ctx: Ctx, order: ProvisionOrder): Promise<Provisioned> {
  return provision(ctx, order, null, (changes) => changes)
}

async function provision(
  ctx: Ctx,
  order: ProvisionOrder,
  roleId: RoleId | null,
  guard: (changes: Changes) => Changes,
): Promise<Provisioned> {
  const { username } = order
  if (!isUsername(username) || username.length > usernameLimit)
    throw validationFailed(`Username must be letters, digits and underscores, at most ${usernameLimit}`)
  const password = ctx.random.token().slice(0, 20)
  const [passwordHash, keys] = await Promise.all([
    ctx.vault.hashPassword(password),
    ctx.vault.generateKeyPair(),
  ])
  const changes = guard(new Changes())
  const accountId = addMember(ctx, changes, {
    username,
    displayName: order.displayName ?? '',
    passwordHash,
    keys,
    roleId,
    // An address is required and must be unique; nothing is ever sent to this one.
    email: order.email ?? `${username.toLowerCase()}@${new URL(ctx.config.origin).hostname}`,
    locale: 'en',
    timeZone: null,
    confirmed: true,
    approved: true,
    reason: null,
    ip: null,
    applicationId: null,
    inviteId: null,
  })
  await commit(ctx, changes)
  return { accountId, username, password }
}
