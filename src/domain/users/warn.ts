import { eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accountWarnings, users } from '../../db/schema'
import type { WarningAction } from '../../db/schema/reports'
import type { SecurityChange } from '../../db/schema/sign-in'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { notify } from '../notifications/notify'
import { type Member, staffWithPermission } from './find'
import { addUnsentMail } from './unsent-mails'

/** Strike against an account; its owner sees it as a warning. */
export interface NewWarning {
  readonly targetId: AccountId
  /** Action taken; `none` for a mere warning. */
  readonly action: WarningAction
  readonly text: string
  /** Moderator who decided; null for the operator. */
  readonly by: AccountId | null
  readonly reportId?: number
  /** Statuses the warning is about. */
  readonly statusIds?: readonly StatusId[] | null
  /** Whether the owner of the account is notified, by mail as well; true by default. */
  readonly isAnnounced?: boolean
}

/** Adds a strike to an account's record, with the notification `moderation_warning` and the notice on pages if announced. Returns its id. */
export function addWarning(ctx: Ctx, changes: Changes, warning: NewWarning): number {
  const { targetId, action, text, by, reportId = null, statusIds = null, isAnnounced = true } = warning
  const id = ctx.ids.next()
  changes.add(
    ctx.db.insert(accountWarnings).values({
      id,
      accountId: by,
      targetAccountId: targetId,
      action,
      text,
      reportId,
      statusIds,
      createdAt: ctx.clock.now(),
      // A trigger puts it on top of the owner's pages.
      announced: isAnnounced,
    }),
  )
  if (!isAnnounced) return id
  const about = { type: 'moderation_warning', statusId: null, subjectId: id } as const
  notify(ctx, changes, [{ ...about, to: targetId, from: targetId }])
  return id
}

/** Statement: the owner has read a strike, and those before it. A later one stays to be read. */
export function strikeSeen(ctx: Ctx, accountId: AccountId, strikeId: number) {
  return ctx.db
    .update(users)
    .set({ strikeToSee: null })
    .where(sql`${users.accountId} = ${accountId} and ${users.strikeToSee} <= ${strikeId}`)
}

/** Records that the owner has read a strike against the account. May run twice. */
export async function acknowledgeStrike(ctx: Ctx, accountId: AccountId, strikeId: number): Promise<void> {
  await commit(ctx, new Changes().add(strikeSeen(ctx, accountId, strikeId)))
}

/** Records that the first steps were shown. May run twice. */
export async function markFirstStepsShown(ctx: Ctx, accountId: AccountId): Promise<void> {
  const shown = ctx.db.update(users).set({ firstStepsDue: false }).where(eq(users.accountId, accountId))
  await commit(ctx, new Changes().add(shown))
}

/** Whether mail can reach the member: the address is confirmed and none that stands for an account without one. */
export function isReachableByMail(
  ctx: Ctx,
  { username, email, confirmedAt }: Pick<Member, 'username' | 'email' | 'confirmedAt'>,
): boolean {
  if (ctx.mailer === null || confirmedAt === null) return false
  return email.toLowerCase() !== placeholderAddress(ctx, username)
}

/** Address of accounts that were made without one: unique, and nothing is ever sent to it. */
export function placeholderAddress({ config }: Ctx, username: string): string {
  return `${username.toLowerCase()}@${new URL(config.origin).hostname}`
}

/** Adds a mail that the member's ways to sign in have changed, to the address they have before the change. */
export function addSecurityMail(
  ctx: Ctx,
  changes: Changes,
  member: Pick<Member, 'accountId' | 'username' | 'email' | 'confirmedAt' | 'locale'>,
  kind: SecurityChange,
): Changes {
  if (!isReachableByMail(ctx, member)) return changes
  const { accountId, username, email, locale } = member
  return addUnsentMail(ctx, changes, { kind, accountId, username, email, locale })
}

/** Notifies staff with permission to manage users of a new member: the effect of `member.joined`. Idempotent. */
export async function notifyStaffOfSignUp(ctx: Ctx, member: AccountId): Promise<void> {
  const staff = await execute(ctx.db, staffWithPermission(ctx, 'manageUsers'))
  if (staff.length === 0) return
  const about = { type: 'admin.sign_up', from: member, statusId: null } as const
  const changes = new Changes()
  notify(
    ctx,
    changes,
    staff.map((to) => ({ ...about, to })),
  )
  await commit(ctx, changes)
}
