import { and, desc, eq, lt } from 'drizzle-orm'
import { execute, map, type Query, rows } from '../../db/query'
import { accounts, roles, users } from '../../db/schema'
import { optionalPrefixedColumns, prefixedColumns } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { translateFor } from '../core/translate'
import type { MailOutcome } from './confirm'
import { findMemberById, type Member } from './find'

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

/** Mails a member that they were approved: handles `send-account-email`. */
export async function sendApproval(ctx: Ctx, accountId: AccountId): Promise<MailOutcome> {
  if (ctx.mailer === null) return 'no mailer'
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null) return 'no such person'
  const { domain, origin } = ctx.config
  const t = await translateFor(ctx, member.locale)
  await ctx.mailer.send({
    to: member.email,
    subject: t('mail.approval.welcomeToDomain', { domain }),
    text: plainText(
      t('mail.helloUsername', { username: member.username }),
      t('mail.approval.requestAccountDomainHas', { domain, origin }),
      member.confirmedAt === null ? t('mail.approval.oneThingLeftOpen') : null,
    ),
  })
  return null
}
