import { execute } from '../../db/query'
import { strikesUrl } from '../../lib/addresses'
import { dayWords } from '../../lib/date-words'
import { plainText } from '../../lib/mail'
import type { Ctx } from '../../ports/ctx'
import { translateFor } from '../core/translate'
import type { MailOutcome } from '../users/confirm'
import { findMemberById } from '../users/find'
import { findAppeals } from './find-strikes'

/** Mails a member the decision about their appeal: handles `send-appeal-email`. */
export async function mailAppealDecision(ctx: Ctx, appealId: number): Promise<MailOutcome> {
  if (ctx.mailer === null) return 'no mailer'
  const [strike] = await execute(ctx.db, findAppeals(ctx, { onlyPending: false, appealId }, { limit: 1 }))
  if (strike?.appeal == null) return 'no such person'
  const member = await execute(ctx.db, findMemberById(ctx, strike.targetAccountId))
  if (member === null) return 'no such person'
  const { domain, origin } = ctx.config
  const t = await translateFor(ctx, member.locale)
  const day = dayWords(t.language, strike.createdAt)
  const isApproved = strike.appeal.approvedAt !== null
  await ctx.mailer.send({
    to: member.email,
    subject: isApproved
      ? t('mail.appeal.appealDomainApproved', { domain })
      : t('mail.appeal.appealDomainRejected', { domain }),
    text: plainText(
      t('mail.helloUsername', { username: member.username }),
      isApproved
        ? t('mail.appeal.appealAgainstModeratorsDecisionDay', { day })
        : t('mail.appeal.appealAgainstModeratorsDecision', { day }),
      t('mail.appeal.allDecisionsAboutAccount', { address: strikesUrl(origin) }),
    ),
  })
  return null
}
