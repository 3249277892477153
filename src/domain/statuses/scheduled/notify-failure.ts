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
    subject: t('A scheduled post was not posted on {domain}', { domain }),
    text: plainText(
      t('Hello {username},', { username: member.username }),
      t('The post you scheduled for {moment} was not posted:', {
        moment: momentWords(t.language, row.scheduledAt),
      }),
      row.failure,
      t('It is kept. Give it another time in your app, or see and delete it here:'),
      scheduledPostsUrl(origin),
    ),
  })
  return null
}
