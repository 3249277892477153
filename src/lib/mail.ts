import { escapeHtml } from './html'
import { directionOf, type PageLanguage } from './page-language'
import { type InstanceSecrets, sign, verify } from './secrets'

/** An email to one recipient. The sender is configured by the operator. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** HTML form of `text`. */
  readonly html?: string
  /** Headers that Cloudflare lets senders set; it makes `Message-ID`, `Date` and the MIME headers itself. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Permanent failure: the recipient's address or the email itself was refused for good. */
export class MailRefused extends Error {
  constructor(cause: unknown) {
    super('The mail was refused', { cause })
    this.name = 'MailRefused'
  }
}

/** Permanent failures by Cloudflare's codes; limits and other failures may pass. */
const lasting: ReadonlySet<unknown> = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
  'E_CONTENT_TOO_LARGE',
  'E_HEADER_NOT_ALLOWED',
  'E_HEADER_USE_API_FIELD',
  'E_HEADER_VALUE_INVALID',
  'E_HEADER_VALUE_TOO_LONG',
  'E_HEADER_NAME_INVALID',
])

/** Whether a failure to send is permanent. */
export function isRefusal(failure: unknown): boolean {
  return typeof failure === 'object' && failure !== null && 'code' in failure && lasting.has(failure.code)
}

/** A failure to send an email, safe for the log: the recipient's address is removed from its message. */
export function mailFailure(failure: unknown, { to }: Mail): Error {
  const message = failure instanceof Error ? failure.message : String(failure)
  const reason = new Error(message.replaceAll(to, 'the recipient'))
  return isRefusal(failure) ? new MailRefused(reason) : reason
}

/**
 * Converts an email for the binding, which encodes bodies and headers (RFC 2045, 2047). Display names cannot
 * break a header line, and the headers prevent automatic replies (RFC 3834).
 */
export function toEmailMessage({ to, subject, text, html, headers = {} }: Mail) {
  const lines = Object.entries(headers).map(([name, value]) => [name, oneLine(value, 2_000)] as const)
  return {
    to,
    subject: oneLine(subject, 200),
    text,
    ...(html === undefined ? {} : { html }),
    headers: { 'Auto-Submitted': 'auto-generated', ...Object.fromEntries(lines) },
  }
}

/**
 * Control characters, line breaks of any kind, and characters that turn the direction of the text that follows.
 */
const unruly = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu

/** Makes untrusted text safe within a line of other text. */
export function oneLine(text: string, characters = 80): string {
  const line = text.replaceAll(unruly, ' ').replaceAll(/\s+/g, ' ').trim()
  return shortened(line, characters)
}

/** Truncates text to so many characters, whole ones only. */
export function shortened(text: string, characters: number): string {
  const points = [...text.slice(0, characters * 2 + 2)]
  if (points.length <= characters) return text.toWellFormed()
  return `${points
    .slice(0, characters - 1)
    .join('')
    .trimEnd()}…`.toWellFormed()
}

/** An account that an email names; both texts are chosen by it. */
export interface EmailSender {
  readonly name: string
  /** `@name@host` */
  readonly handle: string
}

export interface Link {
  readonly label: string
  readonly url: string
}

/** Content of an email before rendering. Every text is plain. */
export interface EmailContent {
  readonly language: PageLanguage
  readonly subject: string
  /** First sentence: the event, with the accounts that it names. */
  readonly sentence: readonly (string | EmailSender)[]
  /** Quoted text of a status or message, with its line breaks. */
  readonly quoted: string | null
  readonly note: string | null
  readonly link: Link
  /** Reason for the email, and how to unsubscribe from its kind. */
  readonly reason: string
  readonly links: readonly Link[]
}

/**
 * Renders an email as text and as HTML of the same content. The HTML needs no images, and escapes untrusted
 * text.
 */
export function renderEmail(email: EmailContent): { readonly text: string; readonly html: string } {
  // Line breaks are unified, so that every line of untrusted text gets its quote prefix.
  const quoted = email.quoted?.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n') ?? null
  return { text: renderTextPart({ ...email, quoted }), html: renderHtmlPart({ ...email, quoted }) }
}

function renderTextPart({ sentence, quoted, note, link, reason, links }: EmailContent): string {
  const parts = [
    sentence.map((part) => (typeof part === 'string' ? part : nameOf(part))).join(''),
    ...(quoted === null ? [] : [quoted.replaceAll(/^/gm, '> ')]),
    ...(note === null ? [] : [note]),
    `${link.label}: ${link.url}`,
    ['-- ', reason, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Display names are always shown with the handle, which cannot be chosen freely. */
function nameOf({ name, handle }: EmailSender): string {
  const line = oneLine(name)
  return line === '' ? handle : `${line} (${handle})`
}

const font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const wrap = 'overflow-wrap:anywhere'

// Mail clients that drop the style sheet keep the light colours; in others `!important` beats the inline ones.
const dark = `@media (prefers-color-scheme:dark){.ground{background:#191d23!important;color:#efe9e1!important}
.card{background:#22272f!important;border-color:#363e49!important}.words{background:#1c2128!important;border-color:#7d8896!important}
.quiet{color:#a9b5c3!important}.link{color:#e9ae8c!important}.press{background:#dd9a72!important;color:#27130a!important}}`

function renderHtmlPart(email: EmailContent): string {
  const { language, subject, sentence, quoted, note, link, reason, links } = email
  const what = sentence.map((part) =>
    typeof part === 'string' ? escapeHtml(part) : `<bdi><strong>${escapeHtml(nameOf(part))}</strong></bdi>`,
  )
  const words =
    quoted === null
      ? ''
      : `<blockquote class="words" dir="auto" style="margin:0 0 16px;padding:12px 16px;border-inline-start:4px solid #8b8275;background:#f6f1ea;white-space:pre-wrap;${wrap}">${escapeHtml(quoted)}</blockquote>`
  const foot = links.map(
    ({ label, url }) =>
      `<a class="link" href="${escapeHtml(url)}" style="color:#85462a">${escapeHtml(label)}</a>`,
  )
  return `<!DOCTYPE html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(oneLine(subject, 200))}</title><style>${dark}</style></head>
<body class="ground" style="margin:0;padding:24px 12px;background:#f4efe8;color:#2a2420;${font}">
<div class="card" style="max-width:560px;margin:0 auto;padding:24px;background:#fffdfa;border:1px solid #e0d7ca;border-radius:12px">
<p style="margin:0 0 16px;${wrap}">${what.join('')}</p>
${words}
${note === null ? '' : `<p style="margin:0 0 16px">${escapeHtml(note)}</p>`}
<p style="margin:0"><a class="press" href="${escapeHtml(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#8a4b2d;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(link.label)}</a></p>
</div>
<p class="quiet" style="max-width:560px;margin:16px auto 0;padding:0 24px;color:#536174;font-size:14px">${escapeHtml(reason)}<br>
${foot.join(' · ')}</p>
</body></html>
`
}

/** Joins the paragraphs of a mail without HTML; those that are null are left out. */
export function plainText(...paragraphs: readonly (string | null)[]): string {
  return `${paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')}\n`
}

const purpose = 'unsubscribe'

/** Scope of an unsubscribe link: emails of one kind to one account. */
export interface UnsubscribeTarget {
  readonly accountId: number
  readonly kind: string
}

/**
 * Signs an unsubscribe token: equal for every email of the kind, so that links in old ones work as long as the secret is
 * accepted.
 */
export async function unsubscribeToken(
  secrets: InstanceSecrets,
  { accountId, kind }: UnsubscribeTarget,
): Promise<string> {
  const subject = `${accountId}.${kind}`
  return `${subject}.${await sign(secrets, purpose, subject)}`
}

/** Verifies an unsubscribe token; null if no accepted secret of this server signed it. */
export async function readUnsubscribeToken(
  secrets: InstanceSecrets,
  token: string,
): Promise<UnsubscribeTarget | null> {
  const [, accountId, kind, signature] = /^(\d{1,16})\.([\w.]{1,40})\.([\w-]{43})$/.exec(token) ?? []
  if (accountId === undefined || kind === undefined || signature === undefined) return null
  if (!(await verify(secrets, purpose, `${accountId}.${kind}`, signature))) return null
  return { accountId: Number(accountId), kind }
}
