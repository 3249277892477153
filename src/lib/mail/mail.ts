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
