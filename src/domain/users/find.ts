import { eq, type SQL, sql } from 'drizzle-orm'
import { parseHandle } from '../../contract/handle'
import type { MailKind } from '../../contract/notification-kinds'
import { constant, first, map, prefixedColumns, type Query, rows } from '../../db/query'
import { accounts, users } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Permission, roleAllows } from '../policy/permissions'

/** Local user as sign-in, confirmation and password reset need it. */
export interface Member {
  readonly accountId: AccountId
  readonly username: string
  readonly email: string
  /** Language of mails, where pages have it. */
  readonly locale: string
  readonly unconfirmedEmail: string | null
  readonly passwordHash: string
  readonly confirmedAt: Date | null
  readonly approved: boolean
  readonly disabledAt: Date | null
  readonly suspendedAt: Date | null
  readonly createdByApplicationId: number | null
  readonly lastActiveAt: Date | null
  /** No code by mail is asked for when a sign-in looks new. */
  readonly skipSignInToken: boolean
  /** The first steps are yet to be shown. */
  readonly firstStepsDue: boolean
}

/** Local user with this e-mail address, username or handle, in any case: `erin`, `@erin`, `@erin@own.example`. */
export function findMemberByLogin(ctx: Ctx, login: string): Query<Member | null> {
  const text = login.trim().toLowerCase()
  if (text.includes('@') && !text.startsWith('@'))
    return findMember(ctx, sql`lower(${users.email}) = ${text}`)
  const handle = parseHandle(text, ctx.config.ownDomains)
  return handle?.domain === null ? findMember(ctx, hasUsername(handle.username)) : constant(null)
}

export function findMemberByEmail(ctx: Ctx, email: string): Query<Member | null> {
  return findMember(ctx, sql`lower(${users.email}) = ${email.trim().toLowerCase()}`)
}

export function findMemberByUsername(ctx: Ctx, username: string): Query<Member | null> {
  return findMember(ctx, hasUsername(username.toLowerCase()))
}

export function findMemberById(ctx: Ctx, id: AccountId): Query<Member | null> {
  return findMember(ctx, eq(users.accountId, id))
}

/** Verbatim as in the unique index, so that it is used. */
export function hasUsername(lowered: string) {
  return sql`lower(${accounts.username}) = ${lowered} and coalesce(${accounts.domain}, '') = ''`
}

function findMember(ctx: Ctx, condition: ReturnType<typeof sql>): Query<Member | null> {
  const found = first(
    ctx.db
      .select({
        user: prefixedColumns('u', {
          accountId: users.accountId,
          email: users.email,
          locale: users.locale,
          unconfirmedEmail: users.unconfirmedEmail,
          passwordHash: users.passwordHash,
          confirmedAt: users.confirmedAt,
          approved: users.approved,
          disabledAt: users.disabledAt,
          createdByApplicationId: users.createdByApplicationId,
          lastActiveAt: users.lastActiveAt,
          skipSignInToken: users.skipSignInToken,
          firstStepsDue: users.firstStepsDue,
        }),
        account: prefixedColumns('a', { username: accounts.username, suspendedAt: accounts.suspendedAt }),
      })
      .from(users)
      .innerJoin(accounts, eq(accounts.id, users.accountId))
      .where(condition),
  )
  return map(found, (row) => (row === null ? null : { ...row.user, ...row.account }))
}

/**
 * Condition where `roles role cross join users u` are selected: the role of `u` has the permission, and `u` is not
 * disabled.
 */
export function hasStaffPermission(permission: Permission): SQL {
  return sql`u.role_id = role.id and u.role_id is not null and ${roleAllows(permission)} and u.disabled_at is null`
}

/** Staff with the permission who chose to be mailed about notifications of this kind. One statement. */
export function staffWhoChose(ctx: Ctx, permission: Permission, kind: MailKind): Query<readonly AccountId[]> {
  const found = ctx.db
    .select({ id: sql<AccountId>`u.account_id`.as('id') })
    .from(sql`roles role cross join users u`)
    .where(sql`${hasStaffPermission(permission)} and u.settings ->> ${`$.mail."${kind}"`} = 1`)
  return map(rows(found), (all) => all.map(({ id }) => id))
}

/** Users whose role has the permission and who are not disabled. One statement. */
export function staffWithPermission(ctx: Ctx, permission: Permission): Query<readonly AccountId[]> {
  const found = ctx.db
    .select({ id: sql<AccountId>`u.account_id`.as('id') })
    .from(sql`roles role cross join users u`)
    .where(hasStaffPermission(permission))
  return map(rows(found), (all) => all.map(({ id }) => id))
}
