import { execute } from '../db/query'
import { done, ignored, type Outcome, retry } from '../domain/core/outcome'
import { translateFor } from '../domain/core/translate'
import { viewerById } from '../domain/core/viewer'
import { notificationsById, oneNotification } from '../domain/notifications/find'
import { type DueMail, dueMails } from '../domain/notifications/find-due-mails'
import { claimMail, releaseMail } from '../domain/notifications/mail-claims'
import { requestedTrends } from '../domain/trends/find-waiting'
import { isHiddenIn } from '../lib/filters/compiled'
import type { NotificationId } from '../lib/ids'
import { MailRefused } from '../lib/mail/mail'
import type { EmailSender } from '../lib/mail/render'
import { notificationMail } from '../lib/notifications/kinds'
import type { Ctx } from '../ports/ctx'
import type { Mailer } from '../ports/services'
import { loadNotifications, type NotificationBundle } from '../view/load/notifications'
import { presentNotification } from '../view/present/notification'
import { type NotificationEmailFacts, notificationEmail } from './notification-email'

/** Mails of one run: each takes five statements, of the fifty of an invocation. */
const mailsPerRun = 8

/** After an outage or at a mail limit; the queue tries several times. */
const retrySeconds = 300

/**
 * Sends notification emails: the runner of `send-notification-emails`.
 *
 * Each notification is loaded as currently visible to its recipient, so that no deleted or hidden status is mailed.
 * Running twice sends no mail twice; failed mails are left to the next attempt.
 */
export async function sendNotificationEmails(ctx: Ctx, ids: readonly NotificationId[]): Promise<Outcome> {
  const { mailer } = ctx
  if (mailer === null) return ignored('no mailer')
  if (ids.length > mailsPerRun)
    await ctx.jobs.send({ kind: 'send-notification-emails', notificationIds: ids.slice(mailsPerRun) })
  let failures = 0
  for (const wanted of await execute(ctx.db, dueMails(ctx, ids.slice(0, mailsPerRun))))
    if (!(await sendNotificationEmail(ctx, mailer, wanted))) failures += 1
  return failures === 0 ? done : retry(retrySeconds)
}

/** Sends one mail; true when no retry is needed. */
async function sendNotificationEmail(ctx: Ctx, mailer: Mailer, wanted: DueMail): Promise<boolean> {
  const viewer = viewerById(wanted.accountId)
  const { notificationId: id, kind } = wanted
  // Suspended accounts have no visible notifications, but must receive this warning.
  const selection =
    notificationMail(kind).reachesSuspended === true
      ? notificationsById(viewer, [id])
      : oneNotification(viewer, id, ctx.clock.now())
  const occasion = emailFactsOf(ctx, wanted, await execute(ctx.db, loadNotifications(ctx, viewer, selection)))
  if (occasion === null) return true
  const trends = kind === 'admin.trends' ? await trendsOf(ctx, id) : []
  const t = await translateFor<EmailSender>(ctx, wanted.locale)
  const mail = await notificationEmail(ctx.config, t, { ...occasion, trends })
  if (!(await claimMail(ctx, wanted))) return true
  try {
    await mailer.send(mail)
    return true
  } catch (cause) {
    ctx.log.error('Failed to send a notification email', { id, cause })
    if (cause instanceof MailRefused) return true
    await releaseMail(ctx, wanted)
    return false
  }
}

/** Trends that a request for review names and that are still undecided. */
async function trendsOf(ctx: Ctx, id: NotificationId): Promise<readonly string[]> {
  return (await execute(ctx.db, requestedTrends(ctx, id))).map(({ line }) => line)
}

/** Facts of a mail; null where the notification is invisible to its recipient or hidden by a filter. */
function emailFactsOf(ctx: Ctx, wanted: DueMail, bundle: NotificationBundle): NotificationEmailFacts | null {
  const [facts] = bundle.notifications
  if (facts === undefined) return null
  const { statusId } = facts.notification
  const about = statusId === null ? undefined : bundle.statuses.statuses.get(statusId)
  const matches = (about?.filtered ?? []).filter(({ rule }) => rule.contexts.includes('notifications'))
  if (isHiddenIn('notifications', matches)) return null
  const showing = { config: ctx.config, now: ctx.clock.now() }
  return {
    kind: wanted.kind,
    to: wanted,
    notification: presentNotification(showing, bundle, facts),
    conversationId: about?.status.conversationId ?? null,
    filterTitle: matches.find(({ rule }) => rule.action === 'warn')?.rule.title ?? null,
  }
}
