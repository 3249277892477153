import { combineQueries, execute } from '../../../db/query'
import { scheduledPostsUrl } from '../../../lib/addresses'
import { momentWords } from '../../../lib/date-words'
import type { AccountId, ScheduledId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import type { Ctx } from '../../../ports/ctx'
import { translateFor } from '../../core/translate'
import { findMemberById } from '../../users/find'
import { scheduledById } from './find-scheduled'

/**
 * Emails the author that a scheduled status could not be published, and why: the job `notify-scheduled-failure`.
 *
 * Returns why no mail was sent, or null. Not idempotent: each run sends a mail. The mail does not contain the
 * status text.
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
  if (member === null) return 'no such user'
  if (row === null || row.failure === null) return 'no longer failed'
  const { domain, origin } = ctx.config
  const t = await translateFor(ctx, member.locale)
  await ctx.mailer.send({
    to: member.email,
    subject: t('mail.scheduled.scheduledPostNotPosted', { domain }),
    text: plainText(
      t('mail.helloUsername', { username: member.username }),
      t('mail.scheduled.postScheduledMomentNot', {
        moment: momentWords(t.language, row.scheduledAt),
      }),
      row.failure,
      t('mail.scheduled.keptGiveAnotherTime'),
      scheduledPostsUrl(origin),
    ),
  })
  return null
}
