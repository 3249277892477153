import { and, eq, sql } from 'drizzle-orm'
import { noticeMails } from '../../db/schema'
import type { MailKind } from '../../db/schema/accounts'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId, NotificationId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { urgent } from './mail-preferences'

/**
 * Mails to one person in an hour; the notifications left out are there to be read. What must not be missed has as
 * many of its own, so that nobody drowns it in other mails.
 */
export const mailsPerHour = 20
const hourMilliseconds = 3_600_000

/** How long it is kept that a mail was sent: longer than the outbox tries to have it sent. */
const keptMilliseconds = 7 * dayMilliseconds

interface Claim {
  readonly accountId: AccountId
  readonly notificationId: NotificationId
}

/**
 * Takes on to mail somebody about a notification; false where that was taken on before, or there were enough.
 *
 * Taken on before it is sent, so that nothing is ever sent twice: what dies in between is not sent at all.
 */
export async function claimMail(
  ctx: Ctx,
  { accountId, notificationId, kind }: Claim & { readonly kind: MailKind },
): Promise<boolean> {
  const limit = urgent.includes(kind) ? 2 * mailsPerHour : mailsPerHour
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

/** Gives a claim back, because the mail was not sent: another try may. */
export async function releaseMail(ctx: Ctx, { accountId, notificationId }: Claim): Promise<void> {
  const own = and(eq(noticeMails.accountId, accountId), eq(noticeMails.notificationId, notificationId))
  await commit(ctx, new Changes().add(ctx.db.delete(noticeMails).where(own)))
}
