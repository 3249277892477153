import { execute } from '../../db/query'
import { strikesUrl } from '../../lib/addresses'
import type { Ctx } from '../../platform/ports'
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
  const day = strike.createdAt.toISOString().slice(0, 10)
  const isApproved = strike.appeal.approvedAt !== null
  const decision = isApproved
    ? `Your appeal against the moderators' decision of ${day} has been approved. The decision no longer counts against you, and
your account is as it was before. Posts that were deleted do not return.`
    : `Your appeal against the moderators' decision of ${day} has been read and rejected. The decision stands.`
  await ctx.mailer.send({
    to: member.email,
    subject: `Your appeal on ${domain} is ${isApproved ? 'approved' : 'rejected'}`,
    text: `Hello ${member.username},

${decision}

All decisions about your account: ${strikesUrl(origin)}
`,
  })
  return null
}
