import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { both, execute, first, map, type Query, rows } from '../../db/query'
import { accounts, counters, roles, users } from '../../db/schema'
import { optionalPrefixedColumns, prefixedColumns } from '../../db/sql'
import { Conflict, NotFound, validationFailed } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { leavesAnOwner, ownerRole } from '../policy/owners'
import type { MailOutcome } from './confirm'
import { findMemberById, findMemberByUsername, type Member } from './find'
import { addWarning } from './warn'

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

async function memberOrNotFound(ctx: Ctx, username: string): Promise<Member> {
  const member = await execute(ctx.db, findMemberByUsername(ctx, username))
  if (member === null) throw new NotFound(`Nobody here is called ${username}`)
  return member
}

/** Guard: of two concurrent decisions only one succeeds. */
function isWaiting({ accountId }: Member) {
  return sql`exists (select 1 from users where account_id = ${accountId} and approved = 0)`
}

function lastOwnerConflict({ username }: Pick<Member, 'username'>): Conflict {
  return new Conflict(`${username} is the last owner of this server: give somebody else the role owner first`)
}

function decidedAlready({ username }: Member): Conflict {
  return new Conflict(`${username} is not waiting for approval`)
}

/**
 * Approves a member pending approval. `Conflict` for other members.
 *
 * Enqueues `send-account-email` where mail is sent, and emits `member.joined` once the address is confirmed as
 * well.
 */
export async function approveMember(ctx: Ctx, username: string): Promise<void> {
  const member = await memberOrNotFound(ctx, username)
  const { accountId } = member
  const changes = new Changes()
    .require(isWaiting(member), decidedAlready(member))
    .add(ctx.db.update(users).set({ approved: true }).where(eq(users.accountId, accountId)))
  if (member.confirmedAt !== null) changes.emit({ kind: 'member.joined', accountId })
  if (ctx.mailer !== null) changes.enqueue({ kind: 'send-account-email', accountId, purpose: 'approved' })
  await commit(ctx, changes)
}

/**
 * Rejects a member pending approval: the account is deleted and the name free. `Conflict` for other members.
 *
 * The rejection email is sent at once: the address is deleted with the account.
 */
export async function rejectMember(ctx: Ctx, username: string): Promise<void> {
  const member = await memberOrNotFound(ctx, username)
  await commit(
    ctx,
    new Changes()
      .require(isWaiting(member), decidedAlready(member))
      .require(leavesAnOwner(member.accountId), lastOwnerConflict(member))
      .add(
        ctx.db.delete(accounts).where(eq(accounts.id, member.accountId)),
        ctx.db.update(counters).set({ value: sql`max(0, value - 1)` }).where(sql`name = 'users'`),
      )
      .publish({ kind: 'sessions.ended', accountId: member.accountId, tokenIds: null }),
  )
  const { domain } = ctx.config
  await ctx.mailer?.send({
    to: member.email,
    subject: `Your request to join ${domain}`,
    text: `Hello ${member.username},

the people who look after ${domain} have read your request for an account and decided against it. What you had
entered is deleted.
`,
  })
}

/**
 * Disables a member's account; the reason is a warning they see once it is enabled again. `Conflict` for the last
 * owner.
 */
export async function disableMember(ctx: Ctx, username: string, text: string): Promise<void> {
  const member = await memberOrNotFound(ctx, username)
  const { accountId } = member
  const disabledAt = ctx.clock.now()
  const changes = new Changes()
    .require(leavesAnOwner(accountId), lastOwnerConflict(member))
    .add(ctx.db.update(users).set({ disabledAt }).where(eq(users.accountId, accountId)))
  addWarning(ctx, changes, { targetId: accountId, action: 'disable', text, by: null })
  await commit(ctx, changes.publish({ kind: 'sessions.ended', accountId, tokenIds: null }))
}

/** Enables a member's account again; its content has stayed. */
export async function enableMember(ctx: Ctx, username: string): Promise<void> {
  const { accountId } = await memberOrNotFound(ctx, username)
  await commit(
    ctx,
    new Changes().add(ctx.db.update(users).set({ disabledAt: null }).where(eq(users.accountId, accountId))),
  )
}

/** Sends a member a warning by the moderators. */
export async function warnMember(ctx: Ctx, username: string, text: string): Promise<void> {
  const { accountId } = await memberOrNotFound(ctx, username)
  const changes = new Changes()
  addWarning(ctx, changes, { targetId: accountId, action: 'none', text, by: null })
  await commit(ctx, changes)
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
