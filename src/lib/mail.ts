import { escapeHtml } from './html'
import { directionOf, type PageLanguage } from './page-language'

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
