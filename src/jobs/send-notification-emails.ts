import { execute } from '../db/query'
import { done, ignored, type Outcome, retry } from '../domain/core/outcome'
import { viewerById } from '../domain/core/viewer'
import { notificationsById, oneNotification } from '../domain/notifications/find'
import { type DueMail, dueMails } from '../domain/notifications/find-due-mails'
import { claimMail, releaseMail } from '../domain/notifications/mail-claims'
import { isHiddenIn } from '../lib/filters/compiled'
import type { NotificationId } from '../lib/ids'
import { MailRefused } from '../lib/mail/mail'
import type { Ctx, Mailer } from '../platform/ports'
import { loadNotifications, type NotificationBundle } from '../view/load/notifications'
import { presentNotification } from '../view/present/notification'
import { type NotificationEmailFacts, notificationEmail } from './notification-email'

/** After an outage or where a limit is reached; the queue tries several times. */
const retrySeconds = 300

/**
 * Mails people about their notifications: the work behind `notice.mail_wanted`.
 *
 * Each is loaded as its recipient would see it now, so that nothing that was deleted or hidden meanwhile is told.
 * Done twice it sends nothing twice; what failed is left to the next try.
 */
export async function sendNotificationEmails(ctx: Ctx, ids: readonly NotificationId[]): Promise<Outcome> {
  const { mailer } = ctx
  if (mailer === null) return ignored('no mailer')
  let failures = 0
  for (const wanted of await execute(ctx.db, dueMails(ctx, ids)))
    if (!(await sendNotificationEmail(ctx, mailer, wanted))) failures += 1
  return failures === 0 ? done : retry(retrySeconds)
}

/** Is there nothing left to do about it? */
async function sendNotificationEmail(ctx: Ctx, mailer: Mailer, wanted: DueMail): Promise<boolean> {
  const viewer = viewerById(wanted.accountId)
  const { notificationId: id, kind } = wanted
  // Whoever is suspended has lost sight of everything, and is to hear of that all the same.
  const selection =
    kind === 'moderation_warning'
      ? notificationsById(viewer, [id])
      : oneNotification(viewer, id, ctx.clock.now())
  const occasion = emailFactsOf(ctx, wanted, await execute(ctx.db, loadNotifications(ctx, viewer, selection)))
  if (occasion === null) return true
  const mail = await notificationEmail(ctx.config, occasion)
  if (!(await claimMail(ctx, wanted))) return true
  try {
    await mailer.send(mail)
    return true
  } catch (cause) {
    ctx.log.error('A mail about a notification was not sent', { id, cause })
    if (cause instanceof MailRefused) return true
    await releaseMail(ctx, wanted)
    return false
  }
}

/** Null where the recipient is not to see it, or chose by a filter not to hear of it. */
function emailFactsOf(ctx: Ctx, wanted: DueMail, bundle: NotificationBundle): NotificationEmailFacts | null {
  const [facts] = bundle.notifications
  if (facts === undefined) return null
  const { statusId } = facts.notification
  const about = statusId === null ? undefined : bundle.statuses.statuses.get(statusId)
  const matches = (about?.filtered ?? []).filter(({ rule }) => rule.contexts.includes('notifications'))
  if (isHiddenIn('notifications', matches)) return null
  const showing = { config: ctx.config, now: ctx.clock.now() }
  return {
    ...{ kind: wanted.kind, to: wanted },
    notification: presentNotification(showing, bundle, facts),
    conversationId: about?.status.conversationId ?? null,
    filterTitle: matches.find(({ rule }) => rule.action === 'warn')?.rule.title ?? null,
  }
}
