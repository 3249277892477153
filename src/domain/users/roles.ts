import { eq, sql } from 'drizzle-orm'
import { both, execute, first, orNotFound, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import { Conflict, Forbidden, Invalid, NotFound } from '../../errors'
import { problem, tooLong } from '../../errors/sentences'
import type { AccountId, RoleId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { leavesAnOwner, ownerRole } from '../policy/owners'
import { baseRole, everyPermission, outranks, permissions, requireRankAbove } from '../policy/permissions'

export type Role = typeof roles.$inferSelect

/** Fields of a role that administrators set. */
export interface RoleOrder {
  readonly name: string
  /** `#rrggbb`, or empty. */
  readonly color: string
  readonly position: number
  readonly permissions: number
  readonly highlighted: boolean
  readonly requireTwoFactor: boolean
  readonly collectionLimit: number
}

export const roleLimits = { nameCharacters: 50, roles: 100, position: 10_000, collections: 1_000 } as const

/** Permissions that the base role may grant to all accounts. Source: Mastodon's `UserRole::Flags::DEFAULT`. */
const harmless = permissions.inviteUsers

/** Every role, the highest first; the base role is the last. */
export function findRoles(ctx: Ctx): Query<Role[]> {
  return rows(
    ctx.db
      .select()
      .from(roles)
      .orderBy(sql`position desc, id`)
      .limit(roleLimits.roles + 1),
  )
}

export function findRole(ctx: Ctx, id: RoleId): Query<Role | null> {
  return first(ctx.db.select().from(roles).where(eq(roles.id, id)))
}

/**
 * Creates a role. `Invalid` for bad fields, `Forbidden` for permissions that the moderator lacks or a position that is
 * not below their own. Returns its id.
 */
export async function createRole(ctx: Ctx, moderator: Moderator, order: RoleOrder): Promise<RoleId> {
  const fields = checked(order)
  requireBelow(moderator, fields)
  const id: RoleId = ctx.ids.next()
  const now = ctx.clock.now()
  const changes = new Changes()
    .require(isNameFree(fields.name, id), new Invalid('taken', { field: 'name' }))
    .require(
      sql`(select count(*) from roles) <= ${roleLimits.roles}`,
      new Invalid('too_many_roles', { max: roleLimits.roles }),
    )
    .add(ctx.db.insert(roles).values({ id, ...fields, createdAt: now, updatedAt: now }))
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: targetOf({ id, ...fields }),
    after: { ...fields },
  })
  await commit(ctx, changes)
  return id
}

/**
 * Changes the fields given. Moderators cannot change permissions or position of their own role, nor anything of a role that is
 * not below it; the role of owners stays what it is, and the base role grants no more than invitations. The second factor
 * that the base role demands concerns owners as well: only the highest roles change it.
 */
export async function updateRole(
  ctx: Ctx,
  moderator: Moderator,
  id: RoleId,
  patch: Partial<RoleOrder>,
): Promise<void> {
  const role = await roleOrNotFound(ctx, id)
  const before = orderOf(role)
  const fields = checked({ ...before, ...patch }, id)
  requireChangeable(moderator, role)
  requireBelow(moderator, fields)
  if (id === baseRole && (fields.position !== before.position || (fields.permissions & ~harmless) !== 0))
    throw new Invalid('base_role_permissions')
  const changes = new Changes()
    .require(isNameFree(fields.name, id), new Invalid('taken', { field: 'name' }))
    .require(isUnchanged(role), changedMeanwhile())
  if (id === baseRole && fields.requireTwoFactor !== before.requireTwoFactor)
    requireHighest(changes, moderator)
  changes.add(
    ctx.db
      .update(roles)
      .set({ ...fields, updatedAt: laterThan(role.updatedAt, ctx.clock.now()) })
      .where(eq(roles.id, id)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: targetOf(role),
    ...changedValues({ ...before }, { ...fields }),
  })
  for (const accountId of await holdersOf(ctx, id)) changes.publish({ kind: 'standing.changed', accountId })
  await commit(ctx, changes)
}

/**
 * Deletes a role; its holders have none afterwards. The base role and that of owners cannot be deleted. `Conflict` where
 * it changed meanwhile.
 */
export async function deleteRole(ctx: Ctx, moderator: Moderator, id: RoleId): Promise<void> {
  const role = await roleOrNotFound(ctx, id)
  if (id === baseRole || id === ownerRole) throw new Forbidden('role_fixed')
  requireChangeable(moderator, role)
  const changes = new Changes()
    .require(isUnchanged(role), changedMeanwhile())
    .add(
      ctx.db.update(users).set({ roleId: null }).where(eq(users.roleId, id)),
      ctx.db.delete(roles).where(eq(roles.id, id)),
    )
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(role),
    before: { ...orderOf(role) },
  })
  for (const accountId of await holdersOf(ctx, id)) changes.publish({ kind: 'standing.changed', accountId })
  await commit(ctx, changes)
}

/**
 * Assigns a role to a local account; null removes the one it has. Account and role must be below the moderator's own
 * (`Forbidden`). `Conflict` where it would leave the server without an owner, and where the account got another role
 * meanwhile.
 */
export async function assignRole(
  ctx: Ctx,
  moderator: Moderator,
  accountId: AccountId,
  roleId: RoleId | null,
): Promise<void> {
  const [member, role] = await execute(
    ctx.db,
    both(findMember(ctx, accountId), findRole(ctx, roleId ?? baseRole)),
  )
  if (member === null) throw new NotFound()
  if (role === null || roleId === baseRole) throw new Invalid('unknown_role')
  const changes = new Changes()
  requireRankAbove(changes, moderator, accountId)
  if (roleId !== null && !outranks(moderator, role.position)) throw new Forbidden()
  if (roleId !== ownerRole)
    changes.require(leavesAnOwner(accountId), new Conflict('last_owner', { handle: member.username }))
  changes
    .require(
      sql`exists (select 1 from users u where u.account_id = ${accountId} and u.role_id is ${member.roleId})`,
      new Conflict('role_given', { username: member.username }),
    )
    .add(ctx.db.update(users).set({ roleId }).where(eq(users.accountId, accountId)))
    .publish({ kind: 'standing.changed', accountId })
  recordAudit(ctx, changes, moderator, {
    action: 'change_role',
    target: { type: 'account', id: accountId, label: member.username },
    before: { role: member.role },
    after: { role: roleId === null ? null : role.name },
  })
  await commit(ctx, changes)
}

function findMember(ctx: Ctx, id: AccountId) {
  return first(
    ctx.db
      .select({
        ...prefixedColumns('a', { username: accounts.username }),
        roleId: users.roleId,
        role: sql<string | null>`(select name from roles held where held.id = ${users.roleId})`.as('role'),
      })
      .from(users)
      .innerJoin(accounts, eq(accounts.id, users.accountId))
      .where(eq(users.accountId, id)),
  )
}

async function roleOrNotFound(ctx: Ctx, id: RoleId): Promise<Role> {
  const role = await execute(ctx.db, orNotFound(findRole(ctx, id)))
  return role
}

/** Holders whose connections apply the change at once; others do at their next request. */
const publishedHolders = 200

async function holdersOf(ctx: Ctx, id: RoleId): Promise<readonly AccountId[]> {
  if (id === baseRole) return []
  const holders = ctx.db
    .select({ accountId: users.accountId })
    .from(users)
    .where(eq(users.roleId, id))
    .limit(publishedHolders)
  return (await execute(ctx.db, rows(holders))).map(({ accountId }) => accountId)
}

/** The base role counts as below every other, so that every role manager may change it. */
function requireChangeable(moderator: Moderator, { id, position }: Role): void {
  if (id !== baseRole && !outranks(moderator, position)) throw new Forbidden()
}

/** Requires in the batch that no account has a role above the moderator's. */
function requireHighest(changes: Changes, { position }: Moderator): void {
  if (position === null) return
  changes.require(
    sql`not exists (select 1 from users u cross join roles r on r.id = u.role_id where r.position > ${position})`,
    new Forbidden('highest_role_only'),
  )
}

function requireBelow(moderator: Moderator, { position, permissions: wanted }: RoleOrder): void {
  if (!outranks(moderator, position)) throw new Forbidden('position_too_high')
  const held = moderator.permissions & everyPermission
  if ((wanted & ~held) !== 0) throw new Forbidden('permissions_too_high')
}

function isNameFree(name: string, except: RoleId) {
  return sql`not exists (select 1 from roles r where lower(r.name) = ${name.toLowerCase()} and r.id <> ${except}
    and r.name <> '')`
}

function orderOf(role: Role): RoleOrder {
  const { name, color, position, permissions: held, highlighted, requireTwoFactor, collectionLimit } = role
  return { name, color, position, permissions: held, highlighted, requireTwoFactor, collectionLimit }
}

function targetOf({ id, name }: Pick<Role, 'id' | 'name'>) {
  return { type: 'role' as const, id, label: name === '' ? 'everyone' : name }
}

/** Time of a change: later than the previous one, so that concurrent ones differ. */
function isUnchanged({ id, updatedAt }: Role) {
  return sql`exists (select 1 from roles r where r.id = ${id} and r.updated_at = ${updatedAt.getTime()})`
}

function changedMeanwhile() {
  return new Conflict('role_changed')
}

function laterThan(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1)
}

function checked(order: RoleOrder, id?: RoleId): RoleOrder {
  const [name, color] = [order.name.trim(), order.color.trim().toLowerCase()]
  const isBase = id === baseRole
  const problems = [
    ...(name === '' && !isBase ? [problem('blank', { field: 'name' })] : []),
    ...tooLong('name', name, roleLimits.nameCharacters),
    ...(color === '' || /^#(?:[\da-f]{3}){1,2}$/.test(color) ? [] : [problem('invalid', { field: 'color' })]),
    ...(isBase || isWithin(order.position, 0, roleLimits.position)
      ? []
      : [problem('out_of_bounds', { field: 'position', min: 0, max: roleLimits.position })]),
    ...(isWithin(order.permissions, 0, everyPermission)
      ? []
      : [problem('invalid', { field: 'permissions' })]),
    ...(isWithin(order.collectionLimit, 0, roleLimits.collections)
      ? []
      : [problem('out_of_bounds', { field: 'collection_limit', min: 0, max: roleLimits.collections })]),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  if (id === ownerRole && (order.permissions & permissions.administrator) === 0)
    throw new Invalid('owners_keep_permissions')
  return { ...order, name, color }
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}
