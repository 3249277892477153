import { execute } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { translateFor } from '../core/translate'
import type { MailOutcome } from './confirm'
import { findMemberById } from './find'

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
