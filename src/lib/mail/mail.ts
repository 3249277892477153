/** One mail to one person. Who sends it is a matter of the operator. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same in markup, for readers that show it. */
  readonly html?: string
  /** Of those Cloudflare lets senders set; it makes `Message-ID`, `Date` and all about MIME itself. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Nobody will ever take this mail: its address or the mail itself was refused for good. */
export class MailRefused extends Error {
  constructor(cause: unknown) {
    super('The mail was refused', { cause })
    this.name = 'MailRefused'
  }
}

/** What trying again later does not change, by Cloudflare's codes; limits and failures may pass. */
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

/** Is a failure to send one for good? */
export function isRefusal(failure: unknown): boolean {
  return typeof failure === 'object' && failure !== null && 'code' in failure && lasting.has(failure.code)
}

/** A failure to send a mail as it may be logged: whatever is said of it, the address is left out. */
export function mailFailure(failure: unknown, { to }: Mail): Error {
  const said = failure instanceof Error ? failure.message : String(failure)
  const reason = new Error(said.replaceAll(to, 'the recipient'))
  return isRefusal(failure) ? new MailRefused(reason) : reason
}

/**
 * A mail as the binding takes it, which encodes bodies and headers (RFC 2045, 2047). Nothing in a header breaks the
 * line, whatever people call themselves, and no holiday notice answers what a machine wrote (RFC 3834).
 */
export function toEmailMessage({ to, subject, text, html, headers = {} }: Mail) {
  const lines = Object.entries(headers).map(([name, value]) => [name, oneLine(value, 2_000)] as const)
  return {
    ...{ to, subject: oneLine(subject, 200), text },
    ...(html === undefined ? {} : { html }),
    headers: { 'Auto-Submitted': 'auto-generated', ...Object.fromEntries(lines) },
  }
}

/** Control characters, line breaks of all kinds, and what turns the direction of the text that follows. */
const unruly = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu

/** A text of strangers for a line that has other words in it: nothing in it reaches beyond itself. */
export function oneLine(text: string, characters = 80): string {
  const line = text.replaceAll(unruly, ' ').replaceAll(/\s+/g, ' ').trim()
  return shortened(line, characters)
}

/** The beginning of a text, whole characters only. */
export function shortened(text: string, characters: number): string {
  const points = [...text.slice(0, characters * 2 + 2)]
  if (points.length <= characters) return text.toWellFormed()
  return `${points
    .slice(0, characters - 1)
    .join('')
    .trimEnd()}…`.toWellFormed()
}
