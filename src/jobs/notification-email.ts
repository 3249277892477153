import type { Config } from '../config'
import type { Notification } from '../contract/entities/notification'
import type { AccountWarning } from '../contract/entities/report'
import { mailSettingsUrl, ownAccountUrl, unsubscribeUrl } from '../lib/addresses'
import { htmlToText } from '../lib/html'
import { type Mail, oneLine, shortened } from '../lib/mail/mail'
import { type EmailContent, type EmailSender, renderEmail } from '../lib/mail/render'
import { unsubscribeToken } from '../lib/mail/unsubscribe'
import { type MailKind, notificationKind, notificationMail } from '../lib/notifications/kinds'
import { message, type Translate } from '../lib/translate'

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

/** Translation of a mail, whose sentences name accounts. */
export type MailTranslate = Translate<EmailSender>

/** Builds the mail about a notification, with one-click unsubscription (RFC 8058). */
export async function notificationEmail(
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
    reason: t('You get this mail because {handle} is mailed about {topic}.', {
      handle: `@${to.username}@${domain}`,
      topic,
    }),
    links: [
      { label: t('Stop these mails'), url: stop },
      { label: t('Choose what you are mailed about'), url: mailSettingsUrl(origin) },
    ],
  }
  return { to: to.email, subject, ...renderEmail(letter), headers: headersOf(config, occasion, stop) }
}

const decisions: Readonly<Record<AccountWarning['action'], string>> = {
  none: message('The moderators of {domain} sent you a warning'),
  disable: message('The moderators of {domain} locked you out of your account'),
  mark_statuses_as_sensitive: message('The moderators of {domain} marked posts of yours as sensitive'),
  delete_statuses: message('The moderators of {domain} deleted posts of yours'),
  sensitive: message('The moderators of {domain} marked all your media as sensitive'),
  silence: message('The moderators of {domain} limited your account'),
  suspend: message('The moderators of {domain} suspended your account'),
}

type Body = Pick<EmailContent, 'sentence' | 'quoted' | 'note' | 'link'>

function bodyOf(config: Config, t: MailTranslate, occasion: NotificationEmailFacts): Body {
  const { kind, notification } = occasion
  const { domain, origin } = config
  const { account, report, moderation_warning: warning } = notification
  const profile = { label: t('See the profile'), url: account.url ?? account.uri }
  const name = senderOf(config, account)
  const { sentence, directSentence = sentence, note } = notificationMail(kind)
  if (kind === 'admin.trends')
    return {
      sentence: [t('New trends of {domain} wait for review', { domain })],
      quoted: clipped((occasion.trends ?? []).map((line) => oneLine(line, 200)).join('\n')),
      note: t('Approve or reject them in your app.'),
      link: { label: t('See the server'), url: origin },
    }
  switch (notificationKind(kind).subject) {
    case 'own-status':
    case 'mention':
    case 'status':
      return aboutStatus(config, t, {
        occasion,
        sentence: (isDirect(notification) ? directSentence : sentence) ?? '',
      })
    case 'warning':
      return {
        sentence: [t(decisions[warning?.action ?? 'none'], { domain })],
        quoted: warning === undefined || warning.text === '' ? null : clipped(warning.text),
        note: null,
        link: { label: t('See your account'), url: ownAccountUrl(origin) },
      }
    case 'report':
      return {
        sentence: t.rich(sentence ?? '', {
          name,
          target: report === undefined ? t('somebody') : handleOf(config, report.target_account),
        }),
        quoted: report === undefined || report.comment === '' ? null : clipped(report.comment),
        note: null,
        link: report === undefined ? profile : { ...profile, url: urlOf(report.target_account) },
      }
    default:
      return {
        sentence: t.rich(sentence ?? '', { name }),
        quoted: null,
        note: note === undefined ? null : t(note),
        link: profile,
      }
  }
}

interface StatusOccasion {
  readonly occasion: NotificationEmailFacts
  readonly sentence: string
}

function aboutStatus(config: Config, t: MailTranslate, { occasion, sentence }: StatusOccasion): Body {
  const { notification, filterTitle } = occasion
  const found = notification.status
  const status = found?.reblog ?? found
  const url = status?.url ?? status?.uri ?? urlOf(notification.account)
  const shown = {
    sentence: t.rich(sentence, { name: senderOf(config, notification.account) }),
    link: { label: t('See the post'), url },
    quoted: null,
    note: null,
  }
  if (status === undefined) return shown
  if (filterTitle !== null) {
    const title = oneLine(filterTitle)
    return { ...shown, note: t('Your filter “{title}” applies, so the post is not shown here.', { title }) }
  }
  if (status.spoiler_text !== '') {
    const warning = oneLine(status.spoiler_text, 300)
    return { ...shown, note: t('It stands behind a warning: {warning}', { warning }) }
  }
  const text = clipped(htmlToText(status.content))
  const count = status.media_attachments.length
  return {
    ...shown,
    quoted: text === '' ? null : text,
    note:
      count === 0
        ? null
        : t('{count, plural, one {With one attachment.} other {With # attachments.}}', { count }),
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
