import { combineQueries, execute } from '../../../db/query'
import { scheduledPostsUrl } from '../../../lib/addresses'
import type { AccountId, ScheduledId } from '../../../lib/ids'
import type { Ctx } from '../../../platform/ports'
import { findMemberById } from '../../users/find'
import { scheduledById } from './find-scheduled'

/**
 * Mails its author that a scheduled status could not be posted, and why: the work behind `schedule.failed`.
 *
 * Answers why no mail was sent, or null. Done twice it mails twice. What it says is in no mail.
 */
export async function notifyScheduledFailure(
  ctx: Ctx,
  { accountId, scheduledId }: { readonly accountId: AccountId; readonly scheduledId: ScheduledId },
): Promise<string | null> {
  if (ctx.mailer === null) return 'no mailer'
  const { member, row } = await execute(
    ctx.db,
    combineQueries({ member: findMemberById(ctx, accountId), row: scheduledById(ctx, scheduledId) }),
  )
  if (member === null) return 'no such person'
  if (row === null || row.failure === null) return 'it failed no longer'
  const { domain, origin } = ctx.config
  await ctx.mailer.send({
    to: member.email,
    subject: `A scheduled post was not posted on ${domain}`,
    text: `Hello ${member.username},

the post you scheduled for ${row.scheduledAt.toISOString()} was not posted:

${row.failure}

It is kept. Give it another time in your app, or see and delete it here:

${scheduledPostsUrl(origin)}
`,
  })
  return null
}
