import { eq } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { unsentMails } from '../../db/schema'
import type { MailOccasion, SecurityChange } from '../../db/schema/sign-in'
import { momentWords } from '../../lib/date-words'
import type { AccountId } from '../../lib/ids'
import { type Mail, MailRefused, plainText } from '../../lib/mail'
import { message, type TranslateText } from '../../lib/translate'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { done, ignored, type Outcome, rejected, retry } from '../core/outcome'
import { translateFor } from '../core/translate'

export interface UnsentMail {
  readonly kind: MailOccasion
  /** Null where the account is deleted in the same batch. */
  readonly accountId: AccountId | null
  readonly username: string
  readonly email: string
  readonly locale: string
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
  const { kind, email, locale } = row
  const text = textOf(ctx, await translateFor(ctx, locale), row)
  try {
    await mailer.send({ to: email, ...text })
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
  'password-changed': {
    subject: message('{domain}: your password was changed'),
    what: message('The password of your account on {domain} was changed on {moment}.'),
  },
  'email-changed': {
    subject: message('{domain}: your e-mail address is being changed'),
    what: message(
      'Another e-mail address was entered for your account on {domain} on {moment}. It takes the place of this one.',
    ),
  },
  'two-factor-on': {
    subject: message('{domain}: two-factor authentication is on'),
    what: message('Two-factor authentication was turned on for your account on {domain} on {moment}.'),
  },
  'two-factor-off': {
    subject: message('{domain}: two-factor authentication is off'),
    what: message(
      'Two-factor authentication was turned off for your account on {domain} on {moment}: the password alone is enough to sign in.',
    ),
  },
  'passkey-added': {
    subject: message('{domain}: a passkey was added'),
    what: message('A passkey, by which one can sign in, was added to your account on {domain} on {moment}.'),
  },
  'passkey-removed': {
    subject: message('{domain}: a passkey was removed'),
    what: message('A passkey of your account on {domain} was removed on {moment}.'),
  },
  'recovery-codes-renewed': {
    subject: message('{domain}: new recovery codes'),
    what: message(
      'New recovery codes were made for your account on {domain} on {moment}. The earlier ones no longer work.',
    ),
  },
}

interface Occasion {
  readonly kind: MailOccasion
  readonly username: string
  readonly happenedAt: Date
}

function textOf(
  { config: { domain, origin } }: Ctx,
  t: TranslateText,
  { kind, username, happenedAt }: Occasion,
): Pick<Mail, 'subject' | 'text'> {
  const greeting = t('Hello {username},', { username })
  switch (kind) {
    case 'sign-up-rejected':
      return {
        subject: t('Your request to join {domain}', { domain }),
        text: plainText(
          greeting,
          t(
            'The people who look after {domain} have read your request for an account and decided against it. What you had entered is deleted.',
            { domain },
          ),
        ),
      }
    case 'registrations-closed':
      return {
        subject: t('Sign-ups on {domain} need approval now', { domain }),
        text: plainText(
          t(
            'No moderator of {domain} was active for a week, so new members need approval from now on. That keeps spammers from using a server that nobody watches.',
            { domain },
          ),
          t('Once somebody looks after it again, open it by the setting "registrations".'),
        ),
      }
    default: {
      const { subject, what } = securityTexts[kind]
      return {
        subject: t(subject, { domain }),
        text: plainText(
          greeting,
          t(what, { domain, moment: momentWords(t.language, happenedAt) }),
          t(
            'If it was you, there is nothing to do. If not, choose a new password at once and look through your settings:',
          ),
          `${origin}/auth/edit`,
        ),
      }
    }
  }
}
