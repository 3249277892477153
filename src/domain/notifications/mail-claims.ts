import { and, eq, sql } from 'drizzle-orm'
import type { MailKind } from '../../contract/notification-kinds'
import { noticeMails } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { isUrgentMail } from './mail-preferences'

/**
 * Mails to one user in an hour; notifications beyond that are not mailed. Urgent kinds have as many of their own, so
 * that a flood of other mails cannot displace them.
 */
export const mailsPerHour = 20
const hourMilliseconds = 3_600_000

/** Retention of claims: longer than the outbox retries. */
const keptMilliseconds = 7 * dayMilliseconds

interface Claim {
  readonly accountId: AccountId
  readonly notificationId: NotificationId
}

/**
 * Claims the mail about a notification; false where it is claimed already or the rate limit is reached.
 *
 * Claimed before sending, so that no mail is sent twice: after a crash in between it is not sent at all.
 */
export async function claimMail(
  ctx: Ctx,
  { accountId, notificationId, kind }: Claim & { readonly kind: MailKind },
): Promise<boolean> {
  const limit = isUrgentMail(kind) ? 2 * mailsPerHour : mailsPerHour
  const now = ctx.clock.now().getTime()
  const isOld = sql`${noticeMails.accountId} = ${accountId} and ${noticeMails.claimedAt} < ${now - keptMilliseconds}`
  const [, claimed] = await commit(
    ctx,
    new Changes().add(
      ctx.db.delete(noticeMails).where(isOld),
      ctx.db.run(sql`insert into ${noticeMails} (account_id, notification_id, claimed_at)
        select ${accountId}, ${notificationId}, ${now}
        where (select count(*) from ${noticeMails} where account_id = ${accountId}
          and claimed_at > ${now - hourMilliseconds}) < ${limit}
        on conflict do nothing`),
    ),
  )
  return claimed === 1
}

/** Releases the claim on a mail that was not sent, for a retry. */
export async function releaseMail(ctx: Ctx, { accountId, notificationId }: Claim): Promise<void> {
  const own = and(eq(noticeMails.accountId, accountId), eq(noticeMails.notificationId, notificationId))
  await commit(ctx, new Changes().add(ctx.db.delete(noticeMails).where(own)))
}
