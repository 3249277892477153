import type { Config } from '../config'
import type { AccountWarning } from '../contract/entities/account-warning'
import type { Notification } from '../contract/entities/notification'
import { mailSettingsUrl, ownAccountUrl, unsubscribeUrl } from '../lib/addresses'
import { htmlToText } from '../lib/html'
import { type Mail, oneLine, shortened } from '../lib/mail/mail'
import { type EmailContent, type EmailSender, type Link, renderEmail } from '../lib/mail/render'
import { unsubscribeToken } from '../lib/mail/unsubscribe'
import { type MailKind, notificationKind, notificationMail } from '../lib/notifications/kinds'

/** A notification as visible to its recipient, with the address of its mail. */
export interface NotificationEmailFacts {
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

/** Builds the mail about a notification, with one-click unsubscription (RFC 8058). */
export async function notificationEmail(config: Config, occasion: NotificationEmailFacts): Promise<Mail> {
  const { kind, to } = occasion
  const { origin, domain, secrets } = config
  const stop = unsubscribeUrl(origin, await unsubscribeToken(secrets, { accountId: to.accountId, kind }))
  const body = bodyOf(config, occasion)
  const subject = body.doer === null ? body.deed : `${shortName(body.doer)} ${body.deed}`
  const letter: EmailContent = {
    ...body,
    subject,
    reason: `You get this mail because @${to.username}@${domain} is mailed about ${notificationMail(kind).topic}.`,
    links: [
      { label: 'Stop these mails', url: stop },
      { label: 'Choose what you are mailed about', url: mailSettingsUrl(origin) },
    ],
  }
  return { to: to.email, subject, ...renderEmail(letter), headers: headersOf(config, occasion, stop) }
}

const decisions: Readonly<Record<AccountWarning['action'], string>> = {
  none: 'sent you a warning',
  disable: 'locked you out of your account',
  mark_statuses_as_sensitive: 'marked posts of yours as sensitive',
  delete_statuses: 'deleted posts of yours',
  sensitive: 'marked all your media as sensitive',
  silence: 'limited your account',
  suspend: 'suspended your account',
}

type Body = Pick<EmailContent, 'doer' | 'deed' | 'quoted' | 'note' | 'link'>

function bodyOf(config: Config, occasion: NotificationEmailFacts): Body {
  const { kind, notification } = occasion
  const { account, report, moderation_warning: warning } = notification
  const profile = { label: 'See the profile', url: account.url ?? account.uri }
  const doer = doerOf(config, account)
  const { action, directAction = action, note = null } = notificationMail(kind)
  const plain = { doer, deed: action, quoted: null, note, link: profile }
  if (kind === 'admin.trends')
    return {
      doer: null,
      deed: `New trends of ${config.domain} wait for review`,
      quoted: clipped((occasion.trends ?? []).map((line) => oneLine(line, 200)).join('\n')),
      note: 'Approve or reject them in your app.',
      link: { label: 'See the server', url: config.origin },
    }
  switch (notificationKind(kind).subject) {
    case 'own-status':
    case 'mention':
    case 'status':
      return aboutStatus(occasion, doer, isDirect(notification) ? directAction : action)
    case 'warning':
      return {
        doer: null,
        deed: `The moderators of ${config.domain} ${decisions[warning?.action ?? 'none']}`,
        quoted: warning === undefined || warning.text === '' ? null : clipped(warning.text),
        note: null,
        link: { label: 'See your account', url: ownAccountUrl(config.origin) },
      }
    case 'report':
      return {
        ...plain,
        deed: `${action} ${report === undefined ? 'somebody' : handleOf(config, report.target_account)}`,
        quoted: report === undefined || report.comment === '' ? null : clipped(report.comment),
        link: report === undefined ? profile : { ...profile, url: urlOf(report.target_account) },
      }
    default:
      return plain
  }
}

function aboutStatus(
  { notification, filterTitle }: NotificationEmailFacts,
  doer: EmailSender,
  deed: string,
): Body {
  const found = notification.status
  const status = found?.reblog ?? found
  const link: Link = { label: 'See the post', url: status?.url ?? status?.uri ?? urlOf(notification.account) }
  const shown = { doer, deed, link, quoted: null, note: null }
  if (status === undefined) return shown
  if (filterTitle !== null)
    return { ...shown, note: `Your filter “${oneLine(filterTitle)}” applies, so the post is not shown here.` }
  if (status.spoiler_text !== '')
    return { ...shown, note: `It stands behind a warning: ${oneLine(status.spoiler_text, 300)}` }
  const text = clipped(htmlToText(status.content))
  return { ...shown, quoted: text === '' ? null : text, note: attachments(status.media_attachments.length) }
}

function attachments(count: number): string | null {
  if (count === 0) return null
  return count === 1 ? 'With one attachment.' : `With ${count} attachments.`
}

function isDirect({ status }: Notification): boolean {
  return status?.visibility === 'direct'
}

/** Truncates a text for mail; the linked page has the rest. */
function clipped(text: string): string {
  return shortened(text.trim(), 2_000)
}

type Person = Notification['account']

function doerOf(config: Config, account: Person): EmailSender {
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
