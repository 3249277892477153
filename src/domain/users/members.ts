import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { both, execute, first, map, type Query, rows } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import { optionalPrefixedColumns, prefixedColumns } from '../../db/sql'
import { Conflict, NotFound, validationFailed } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { leavesAnOwner, ownerRole } from '../policy/owners'
import type { MailOutcome } from './confirm'
import { findMemberById, findMemberByUsername, type Member } from './find'

export const membersPerPage = 200

export type MemberState = 'active' | 'waiting' | 'unconfirmed' | 'disabled' | 'suspended'

/** Member as shown to administrators. */
export interface ListedMember {
  readonly id: AccountId
  readonly username: string
  readonly email: string
  readonly role: string | null
  /** Reason given at sign-up. */
  readonly reason: string | null
  readonly state: MemberState
  readonly createdAt: Date
}

/** Members, newest first, `membersPerPage` per page, older than `before` where it is given. */
export function listMembers(
  ctx: Ctx,
  wanted: { readonly onlyWaiting: boolean; readonly before: AccountId | null },
): Query<readonly ListedMember[]> {
  const { accountId: id, email, signUpReason: reason, createdAt, approved, confirmedAt, disabledAt } = users
  const found = ctx.db
    .select({
      user: prefixedColumns('u', { id, email, reason, createdAt, approved, confirmedAt, disabledAt }),
      account: prefixedColumns('a', { username: accounts.username, suspendedAt: accounts.suspendedAt }),
      role: optionalPrefixedColumns('r', { name: roles.name }),
    })
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        wanted.onlyWaiting ? eq(users.approved, false) : undefined,
        wanted.before === null ? undefined : lt(users.accountId, wanted.before),
      ),
    )
    .orderBy(desc(users.accountId))
    .limit(membersPerPage)
  return map(rows(found), (list) =>
    list.map(({ user, account, role }) => ({
      id: user.id,
      username: account.username,
      email: user.email,
      role: role.name,
      reason: user.reason,
      createdAt: user.createdAt,
      state: stateOf({ ...user, ...account }),
    })),
  )
}

type MemberFlags = Pick<Member, 'suspendedAt' | 'disabledAt' | 'approved' | 'confirmedAt'>

function stateOf({ suspendedAt, disabledAt, approved, confirmedAt }: MemberFlags): MemberState {
  if (suspendedAt !== null) return 'suspended'
  if (disabledAt !== null) return 'disabled'
  if (!approved) return 'waiting'
  return confirmedAt === null ? 'unconfirmed' : 'active'
}

function lastOwnerConflict({ username }: Pick<Member, 'username'>): Conflict {
  return new Conflict(`${username} is the last owner of this server: give somebody else the role owner first`)
}

/**
 * Assigns the role of this name, case-insensitive; null removes the current one. `Invalid` for an unknown role,
 * `Conflict` where it would leave the server without an owner.
 */
export async function setRole(ctx: Ctx, username: string, roleName: string | null): Promise<void> {
  const hasName = sql`lower(${roles.name}) = ${(roleName ?? '').toLowerCase()} and ${roles.id} > 0`
  const [member, role] = await execute(
    ctx.db,
    both(
      findMemberByUsername(ctx, username),
      first(ctx.db.select({ id: roles.id }).from(roles).where(hasName).limit(1)),
    ),
  )
  if (member === null) throw new NotFound(`Nobody here is called ${username}`)
  if (role === null && roleName !== null) throw validationFailed(`There is no role ${roleName}`)
  const roleId = roleName === null ? null : (role?.id ?? null)
  const { accountId } = member
  const changes = new Changes()
  if (roleId !== ownerRole) changes.require(leavesAnOwner(accountId), lastOwnerConflict(member))
  await commit(
    ctx,
    changes
      .add(ctx.db.update(users).set({ roleId }).where(eq(users.accountId, accountId)))
      .publish({ kind: 'standing.changed', accountId }),
  )
}

/** Mails a member that they were approved: handles `send-account-email`. */
export async function sendApproval(ctx: Ctx, accountId: AccountId): Promise<MailOutcome> {
  if (ctx.mailer === null) return 'no mailer'
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null) return 'no such person'
  const { domain, origin } = ctx.config
  await ctx.mailer.send({
    to: member.email,
    subject: `Welcome to ${domain}`,
    text: `Hello ${member.username},

your request for an account on ${domain} has been approved. Sign in at ${origin} or with any Mastodon app.
${member.confirmedAt === null ? '\nOne thing is left: open the link in the mail we sent to confirm your address.\n' : ''}`,
  })
  return null
}
