import { resolve4, resolve6, resolveMx } from 'node:dns/promises'
import { oneLine } from '../lib/mail'
import type { Log } from '../ports/ctx'
import { type Mail, MailRefused } from '../ports/mail'
import type { Mailer, MailReach } from '../ports/services'
import type { Usage } from '../ports/usage'

export function mailerOf(
  binding: SendEmail,
  from: string,
  { log, usage }: { readonly log: Log; readonly usage: Pick<Usage, 'add'> },
): Mailer {
  return {
    send: async (mail) => {
      usage.add('mails', 1)
      try {
        await binding.send({ from, ...toEmailMessage(mail) })
      } catch (cause) {
        throw mailFailure(cause, mail)
      }
    },
    lookUp: (domain) => lookUpMail(domain, log),
  }
}

const lookUpMilliseconds = 3_000

/** Most hosts of a domain that are looked at: providers name fewer than ten. */
const mostHosts = 20

const unknown: MailReach = { acceptsMail: true, hosts: [] }

/** Looks up mail servers, else any address: both are allowed to receive mail. */
async function lookUpMail(domain: string, log: Log): Promise<MailReach> {
  const late = new Promise<MailReach>((resolve) => setTimeout(() => resolve(unknown), lookUpMilliseconds))
  const found = async (): Promise<MailReach> => {
    const records = await lookUp(() => resolveMx(domain), log)
    if (records === null) return unknown
    if (records.length > 0) return reachBy(records.map(({ exchange }) => exchange))
    const acceptsMail =
      (await exists(() => resolve4(domain), log)) || (await exists(() => resolve6(domain), log))
    return { acceptsMail, hosts: [] }
  }
  return Promise.race([found(), late])
}

/** A single empty name means that the domain receives no mail. Source: RFC 7505. */
export function reachBy(exchanges: readonly string[]): MailReach {
  const hosts = exchanges.map((name) => name.toLowerCase().replace(/\.$/, '')).filter((name) => name !== '')
  return { acceptsMail: hosts.length > 0, hosts: hosts.slice(0, mostHosts) }
}

async function exists(resolve: () => Promise<readonly unknown[]>, log: Log): Promise<boolean> {
  const found = await lookUp(resolve, log)
  return found === null || found.length > 0
}

/** Records of a name; null where a failing resolver leaves them unknown, which must not block sign-ups. */
async function lookUp<T>(resolve: () => Promise<readonly T[]>, log: Log): Promise<readonly T[] | null> {
  try {
    return await resolve()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    log.info('A mail domain could not be looked up', { cause })
    return null
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
