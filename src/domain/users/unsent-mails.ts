import { eq } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { unsentMails } from '../../db/schema'
import type { MailOccasion, SecurityChange } from '../../db/schema/sign-in'
import type { AccountId } from '../../lib/ids'
import { type Mail, MailRefused } from '../../lib/mail/mail'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, rejected, retry } from '../core/outcome'

export interface UnsentMail {
  readonly kind: MailOccasion
  /** Null where the account is deleted in the same batch. */
  readonly accountId: AccountId | null
  readonly username: string
  readonly email: string
}

/** Time after which the queue tries a mail again that failed; after eight times it ends in the dead letters. */
const retrySeconds = 600

/**
 * Adds a mail to the batch of its occasion; the queue sends it. The message names the row alone: neither address nor text
 * is in it. Does nothing without a mailer.
 */
export function addUnsentMail(ctx: Ctx, changes: Changes, mail: UnsentMail): Changes {
  if (ctx.mailer === null) return changes
  const id = ctx.ids.next()
  return changes
    .add(ctx.db.insert(unsentMails).values({ ...mail, id, happenedAt: ctx.clock.now() }))
    .enqueue({ kind: 'send-unsent-mail', mailId: id })
}

/**
 * Sends a mail and deletes its row: handles `send-unsent-mail`. A mail that fails is retried, one that is refused for good
 * is dropped.
 */
export async function sendUnsentMail(ctx: Ctx, id: number): Promise<Outcome> {
  const { mailer } = ctx
  if (mailer === null) return ignored('no mailer')
  const found = ctx.db.select().from(unsentMails).where(eq(unsentMails.id, id))
  const row = await execute(ctx.db, first(found))
  if (row === null) return ignored('sent already')
  const { kind, username, email, happenedAt } = row
  try {
    await mailer.send({ to: email, ...textOf(ctx, { kind, username, happenedAt }) })
  } catch (cause) {
    ctx.log.error('Failed to send a mail', { id, kind, cause })
    if (!(cause instanceof MailRefused)) return retry(retrySeconds)
    await deleteMail(ctx, id)
    return rejected('the mail was refused')
  }
  await deleteMail(ctx, id)
  return done
}

async function deleteMail(ctx: Ctx, id: number): Promise<void> {
  await commit(ctx, new Changes().add(ctx.db.delete(unsentMails).where(eq(unsentMails.id, id))))
}

const securityTexts: Readonly<Record<SecurityChange, { readonly subject: string; readonly what: string }>> = {
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

interface Occasion {
  readonly kind: MailOccasion
  readonly username: string
  readonly happenedAt: Date
}

function textOf({ config }: Ctx, { kind, username, happenedAt }: Occasion): Pick<Mail, 'subject' | 'text'> {
  const { domain, origin } = config
  switch (kind) {
    case 'sign-up-rejected':
      return {
        subject: `Your request to join ${domain}`,
        text: `Hello ${username},

the people who look after ${domain} have read your request for an account and decided against it. What you had
entered is deleted.
`,
      }
    case 'registrations-closed':
      return {
        subject: `Sign-ups on ${domain} need approval now`,
        text: `No moderator of ${domain} was active for a week, so new members need approval from now on. That keeps spammers
from using a server that nobody watches.

Once somebody looks after it again, open it by the setting "registrations".
`,
      }
    default: {
      const { subject, what } = securityTexts[kind]
      return {
        subject: `${domain}: ${subject}`,
        text: `Hello ${username},

on ${happenedAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC, ${what} for your account on ${domain}.

If it was you, there is nothing to do. If not, choose a new password at once and look through your settings:

${origin}/auth/edit
`,
      }
    }
  }
}
