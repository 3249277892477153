import type { Mail } from '../../lib/mail/mail'
import type { Ctx } from '../../platform/ports'
import type { Member } from './find'

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

/** Changes to the ways to sign in that a member is mailed about. */
export type SecurityChange =
  | 'password-changed'
  | 'email-changed'
  | 'two-factor-on'
  | 'two-factor-off'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-renewed'

const texts: Readonly<Record<SecurityChange, { readonly subject: string; readonly what: string }>> = {
  'password-changed': { subject: 'your password was changed', what: 'the password was changed' },
  'email-changed': {
    subject: 'your e-mail address is being changed',
    what: 'another e-mail address was entered, which takes the place of this one',
  },
  'two-factor-on': {
    subject: 'two-factor authentication is on',
    what: 'two-factor authentication was turned on',
  },
  'two-factor-off': {
    subject: 'two-factor authentication is off',
    what: 'two-factor authentication was turned off: the password alone is enough to sign in',
  },
  'passkey-added': { subject: 'a passkey was added', what: 'a passkey was added, by which one can sign in' },
  'passkey-removed': { subject: 'a passkey was removed', what: 'a passkey was removed' },
  'recovery-codes-renewed': {
    subject: 'new recovery codes',
    what: 'new recovery codes were made, and the earlier ones no longer work',
  },
}

/** Mails a member that their ways to sign in have changed, after the response and to the address they had before. */
export function mailSecurityChange(
  ctx: Ctx,
  member: Pick<Member, 'username' | 'email' | 'confirmedAt'>,
  change: SecurityChange,
): void {
  if (!isReachableByMail(ctx, member)) return
  const mail = securityMail(ctx, member, change)
  ctx.afterResponse(async () => {
    try {
      await ctx.mailer?.send(mail)
    } catch (failure) {
      ctx.log.error('Failed to mail a security notice', { change, failure: String(failure) })
    }
  })
}

function securityMail(
  { config, clock }: Ctx,
  { username, email }: Pick<Member, 'username' | 'email'>,
  change: SecurityChange,
): Mail {
  const { subject, what } = texts[change]
  const { domain, origin } = config
  return {
    to: email,
    subject: `${domain}: ${subject}`,
    text: `Hello ${username},

on ${clock.now().toISOString().slice(0, 16).replace('T', ' at ')} UTC, ${what} for your account on ${domain}.

If it was you, there is nothing to do. If not, choose a new password at once and look through your settings:

${origin}/auth/edit
`,
  }
}
