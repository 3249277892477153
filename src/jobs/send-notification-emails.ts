import type { Config } from '../config'
import { mailSettingsUrl, ownAccountUrl, unsubscribeUrl } from '../contract/addresses'
import type { Notification } from '../contract/entities/notification'
import type { AccountWarning } from '../contract/entities/report'
import { isHiddenIn } from '../contract/filters'
import { type MailKind, notificationKind, notificationMail } from '../contract/notification-kinds'
import { execute } from '../db/query'
import { done, ignored, type Outcome, retry } from '../domain/core/changes'
import { translateFor } from '../domain/core/translate'
import { viewerById } from '../domain/core/viewer'
import { notificationsById, oneNotification } from '../domain/notifications/find'
import { type DueMail, dueMails } from '../domain/notifications/find-due-mails'
import { claimMail, releaseMail } from '../domain/notifications/mail-preferences'
import { requestedTrends } from '../domain/trends/find-waiting'
import { unsubscribeToken } from '../domain/users/unsubscribe'
import { htmlToText } from '../lib/html'
import type { NotificationId } from '../lib/ids'
import { type EmailContent, type EmailSender, oneLine, renderEmail, shortened } from '../lib/mail'
import type { TextKey, Translate } from '../lib/translate'
import type { Ctx } from '../ports/ctx'
import { type Mail, MailRefused } from '../ports/mail'
import type { Mailer } from '../ports/services'
import { loadNotifications, type NotificationBundle } from '../view/load/notifications'
import { presentNotification } from '../view/present/notification'

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

/** A notification as visible to its recipient, with the address of its mail. */
interface NotificationEmailFacts {
  readonly kind: MailKind
  readonly notification: Notification
  /** Conversation of the notification's status: mails of one conversation are threaded. */
  readonly conversationId: number | null
  /** Title of the recipient's filter that warns about the status. */
  readonly filterTitle: string | null
  /** Of a request for review: what it is about. */
  readonly trends?: readonly string[]
  readonly to: { readonly accountId: number; readonly username: string; readonly email: string }
}

/** Translation of a mail, whose sentences name accounts. */
export type MailTranslate = Translate<EmailSender>

/** Builds the mail about a notification, with one-click unsubscription (RFC 8058). */
async function notificationEmail(
  config: Config,
  t: MailTranslate,
  occasion: NotificationEmailFacts,
): Promise<Mail> {
  const { kind, to } = occasion
  const { origin, domain, secrets } = config
  const stop = unsubscribeUrl(origin, await unsubscribeToken(secrets, { accountId: to.accountId, kind }))
  const body = bodyOf(config, t, occasion)
  const subject = body.sentence.map((part) => (typeof part === 'string' ? part : shortName(part))).join('')
  const topic = t(notificationMail(kind).topic)
  const letter: EmailContent = {
    ...body,
    language: t.language,
    subject,
    reason: t('mail.notification.getMailBecauseHandle', {
      handle: `@${to.username}@${domain}`,
      topic,
    }),
    links: [
      { label: t('common.stopTheseMails'), url: stop },
      { label: t('common.chooseWhatMailedAbout'), url: mailSettingsUrl(origin) },
    ],
  }
  return { to: to.email, subject, ...renderEmail(letter), headers: headersOf(config, occasion, stop) }
}

const decisions: Readonly<Record<AccountWarning['action'], TextKey>> = {
  none: 'mail.notification.moderatorsDomainSentWarning',
  disable: 'mail.notification.moderatorsDomainLockedOut',
  mark_statuses_as_sensitive: 'mail.notification.moderatorsDomainMarkedPosts',
  delete_statuses: 'mail.notification.moderatorsDomainDeletedPosts',
  sensitive: 'mail.notification.moderatorsDomainMarkedAll',
  silence: 'mail.notification.moderatorsDomainLimitedAccount',
  suspend: 'mail.notification.moderatorsDomainSuspendedAccount',
}

type Body = Pick<EmailContent, 'sentence' | 'quoted' | 'note' | 'link'>

function bodyOf(config: Config, t: MailTranslate, occasion: NotificationEmailFacts): Body {
  const { kind, notification } = occasion
  const { domain, origin } = config
  const { account, report, moderation_warning: warning } = notification
  const profile = { label: t('mail.notification.seeTheProfile'), url: account.url ?? account.uri }
  const name = senderOf(config, account)
  const { sentence, directSentence = sentence, note } = notificationMail(kind)
  if (kind === 'admin.trends')
    return {
      sentence: [t('mail.notification.newTrendsDomainWait', { domain })],
      quoted: clipped((occasion.trends ?? []).map((line) => oneLine(line, 200)).join('\n')),
      note: t('mail.notification.approveRejectApp'),
      link: { label: t('mail.notification.seeTheServer'), url: origin },
    }
  switch (notificationKind(kind).subject) {
    case 'own-status':
    case 'mention':
    case 'status':
      return aboutStatus(config, t, {
        occasion,
        sentence: isDirect(notification) ? directSentence : sentence,
      })
    case 'warning':
      return {
        sentence: [t(decisions[warning?.action ?? 'none'], { domain })],
        quoted: warning === undefined || warning.text === '' ? null : clipped(warning.text),
        note: null,
        link: { label: t('mail.seeYourAccount'), url: ownAccountUrl(origin) },
      }
    case 'report':
      return {
        sentence:
          sentence === null
            ? []
            : t.rich(sentence, {
                name,
                target:
                  report === undefined
                    ? t('mail.notification.somebody')
                    : handleOf(config, report.target_account),
              }),
        quoted: report === undefined || report.comment === '' ? null : clipped(report.comment),
        note: null,
        link: report === undefined ? profile : { ...profile, url: urlOf(report.target_account) },
      }
    default:
      return {
        sentence: sentence === null ? [] : t.rich(sentence, { name }),
        quoted: null,
        note: note === undefined ? null : t(note),
        link: profile,
      }
  }
}

interface StatusOccasion {
  readonly occasion: NotificationEmailFacts
  readonly sentence: TextKey | null
}

function aboutStatus(config: Config, t: MailTranslate, { occasion, sentence }: StatusOccasion): Body {
  const { notification, filterTitle } = occasion
  const found = notification.status
  const status = found?.reblog ?? found
  const url = status?.url ?? status?.uri ?? urlOf(notification.account)
  const shown = {
    sentence: sentence === null ? [] : t.rich(sentence, { name: senderOf(config, notification.account) }),
    link: { label: t('mail.notification.seeThePost'), url },
    quoted: null,
    note: null,
  }
  if (status === undefined) return shown
  if (filterTitle !== null) {
    const title = oneLine(filterTitle)
    return { ...shown, note: t('mail.notification.filterTitleAppliesPost', { title }) }
  }
  if (status.spoiler_text !== '') {
    const warning = oneLine(status.spoiler_text, 300)
    return { ...shown, note: t('mail.notification.standsBehindWarningWarning', { warning }) }
  }
  const text = clipped(htmlToText(status.content))
  const count = status.media_attachments.length
  return {
    ...shown,
    quoted: text === '' ? null : text,
    note: count === 0 ? null : t('mail.notification.withAttachments', { count }),
  }
}

function isDirect({ status }: Notification): boolean {
  return status?.visibility === 'direct'
}

/** Truncates a text for mail; the linked page has the rest. */
function clipped(text: string): string {
  return shortened(text.trim(), 2_000)
}

type Person = Notification['account']

function senderOf(config: Config, account: Person): EmailSender {
  return { name: account.display_name, handle: handleOf(config, account) }
}

function handleOf({ domain }: Config, { acct }: Person): string {
  return acct.includes('@') ? `@${acct}` : `@${acct}@${domain}`
}

function urlOf({ url, uri }: Person): string {
  return url ?? uri
}

function shortName({ name, handle }: EmailSender): string {
  return oneLine(name, 60) || handle
}

/** Mail headers: the first two for unsubscribing, the others for sorting and threading. */
function headersOf({ origin }: Config, { kind, to, conversationId }: NotificationEmailFacts, stop: string) {
  const { protocol, hostname } = new URL(origin)
  const thread = `<conversation.${conversationId}@${hostname}>`
  return {
    // Cloudflare accepts https addresses only.
    ...(protocol === 'https:'
      ? { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}),
    'List-Id': `<${kind}.${to.username}.${hostname}>`,
    ...(conversationId === null ? {} : { 'In-Reply-To': thread, References: thread }),
  }
}
