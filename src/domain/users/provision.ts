import { sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { users } from '../../db/schema'
import { Conflict, Invalid, InvalidFields } from '../../errors'
import { problem, tooLong } from '../../errors/sentences'
import type { AccountId, RoleId } from '../../lib/ids'
import { unmatchableHash } from '../../lib/password-hash'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { ownerRole } from '../policy/owners'
import { requirePermission } from '../policy/permissions'
import { confirmationProblems, isEmail, isUsername, passwordProblems, usernameLimit } from './check-sign-up'
import { addMember } from './sign-up'
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
  return provisionWithPassword(ctx, order, ownerRole, requireNoOwner)
}

function requireNoOwner(changes: Changes): Changes {
  const noOwner = sql`not exists (select 1 from ${users} where ${users.roleId} = ${ownerRole})`
  return changes.require(noOwner, new Conflict('owner_exists'))
}

/** Form of the owner in set-up. */
export interface OwnerForm {
  readonly username: string
  readonly email: string
  readonly password: string
  readonly passwordConfirmation: string
}

/**
 * Creates the owner's account with a chosen password. `InvalidFields` for what the form lacks, `Conflict` when there is an
 * owner.
 */
export async function createOwnerByForm(ctx: Ctx, form: OwnerForm): Promise<AccountId> {
  const { username, email, password } = form
  const problems = [
    ...(username === '' ? [problem('blank', { field: 'username' })] : []),
    ...(isUsername(username) || username === '' ? [] : [problem('invalid_username', { field: 'username' })]),
    ...tooLong('username', username, usernameLimit),
    ...(isEmail(email) ? [] : [problem('invalid_email', { field: 'email' })]),
    ...passwordProblems(password),
    ...confirmationProblems(form),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
  return provision(ctx, form, {
    roleId: ownerRole,
    hash: () => ctx.vault.hashPassword(password),
    complete: requireNoOwner,
  })
}

/** Whether the server has an owner. */
export function hasOwner({ db }: Ctx): Query<boolean> {
  const owner = db
    .select({ id: users.accountId })
    .from(users)
    .where(sql`${users.roleId} = ${ownerRole}`)
    .limit(1)
  return map(first(owner), (found) => found !== null)
}

/**
 * Creates an ordinary account, confirmed and approved, for demonstrations and measurements, of which there are many.
 * Hashing a password would take most of the time: it has none until one is chosen through a reset link.
 */
export function createMember(ctx: Ctx, order: ProvisionOrder): Promise<AccountId> {
  return provision(ctx, order, { roleId: null, hash: () => unmatchableHash, complete: (changes) => changes })
}

/**
 * Creates an ordinary account, confirmed and approved, for a moderator with the permission to manage users; it gets no
 * mail.
 */
export function createMemberFor(ctx: Ctx, moderator: Moderator, order: ProvisionOrder): Promise<Provisioned> {
  requirePermission(moderator, 'manageUsers')
  return provisionWithPassword(ctx, order, null, (changes, id) =>
    recordAudit(ctx, changes, moderator, {
      action: 'create',
      target: { type: 'account', id, label: order.username },
    }),
  )
}

type Complete = (changes: Changes, id: AccountId) => Changes

async function provisionWithPassword(
  ctx: Ctx,
  order: ProvisionOrder,
  roleId: RoleId | null,
  complete: Complete,
): Promise<Provisioned> {
  const password = ctx.random.token().slice(0, 20)
  const hash = () => ctx.vault.hashPassword(password)
  const accountId = await provision(ctx, order, { roleId, hash, complete })
  return { accountId, username: order.username, password }
}

interface Provision {
  readonly roleId: RoleId | null
  /** Hash of the password. */
  readonly hash: () => string | Promise<string>
  readonly complete: Complete
}

async function provision(
  ctx: Ctx,
  { username, displayName = '', email }: ProvisionOrder,
  { roleId, hash, complete }: Provision,
): Promise<AccountId> {
  if (!isUsername(username) || username.length > usernameLimit)
    throw new Invalid('invalid_username_at_most', { field: 'username', max: usernameLimit })
  const accountId: AccountId = ctx.ids.next()
  const [passwordHash, keys] = await Promise.all([hash(), ctx.vault.generateKeyPair(accountId)])
  const changes = complete(new Changes(), accountId)
  addMember(ctx, changes, {
    accountId,
    username,
    displayName,
    passwordHash,
    keys,
    roleId,
    // An address is required and must be unique; nothing is ever sent to this one.
    email: email ?? `${username.toLowerCase()}@${new URL(ctx.config.origin).hostname}`,
    // Not chosen: pages use the language of the browser.
    locale: '',
    timeZone: null,
    confirmed: true,
    approved: true,
    reason: null,
    ip: null,
    applicationId: null,
    inviteId: null,
    firstStepsDue: false,
  })
  await commit(ctx, changes)
  return accountId
}
