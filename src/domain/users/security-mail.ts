import type { SecurityChange } from '../../db/schema/sign-in'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import type { Member } from './find'
import { addUnsentMail } from './unsent-mails'

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
