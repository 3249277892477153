import { eq } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { unsentMails } from '../../db/schema'
import type { MailOccasion, SecurityChange } from '../../db/schema/sign-in'
import { momentWords } from '../../lib/date-words'
import type { AccountId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import type { TextKey, TranslateText } from '../../lib/translate'
import type { Ctx } from '../../ports/ctx'
import { type Mail, MailRefused } from '../../ports/mail'
import { Changes, commit, done, ignored, type Outcome, rejected, retry } from '../core/changes'
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

const securityTexts: Readonly<Record<SecurityChange, { readonly subject: TextKey; readonly what: TextKey }>> =
  {
    'password-changed': {
      subject: 'mail.account.domainPasswordChanged',
      what: 'mail.account.passwordAccountDomainChanged',
    },
    'email-changed': {
      subject: 'mail.account.domainEmailAddressBeing',
      what: 'mail.account.anotherEmailAddressEntered',
    },
    'two-factor-on': {
      subject: 'mail.account.domainTwoFactorAuthentication',
      what: 'mail.account.twoFactorAuthenticationTurned',
    },
    'two-factor-off': {
      subject: 'mail.account.domainTwoFactorAuthenticationOff',
      what: 'mail.account.twoFactorAuthenticationTurnedOff',
    },
    'passkey-added': {
      subject: 'mail.account.domainPasskeyAdded',
      what: 'mail.account.passkeyByWhichOne',
    },
    'passkey-removed': {
      subject: 'mail.account.domainPasskeyRemoved',
      what: 'mail.account.passkeyAccountDomainRemoved',
    },
    'recovery-codes-renewed': {
      subject: 'mail.account.domainNewRecoveryCodes',
      what: 'mail.account.newRecoveryCodesMade',
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
  const greeting = t('mail.helloUsername', { username })
  switch (kind) {
    case 'sign-up-rejected':
      return {
        subject: t('mail.account.requestJoinDomain', { domain }),
        text: plainText(greeting, t('mail.account.peopleWhoLookAfter', { domain })),
      }
    case 'registrations-closed':
      return {
        subject: t('mail.account.signUpsDomainNeed', { domain }),
        text: plainText(
          t('mail.account.noModeratorDomainActive', { domain }),
          t('mail.account.onceSomebodyLooksAfter'),
        ),
      }
    default: {
      const { subject, what } = securityTexts[kind]
      return {
        subject: t(subject, { domain }),
        text: plainText(
          greeting,
          t(what, { domain, moment: momentWords(t.language, happenedAt) }),
          t('mail.account.ifThereNothingDo'),
          `${origin}/auth/edit`,
        ),
      }
    }
  }
}
