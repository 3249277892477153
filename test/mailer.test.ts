import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MailRefused } from '../src/ports/mail'
import { wire } from '../src/wire'
import { consume } from './support/run-job'
import { context } from './support/test-app'

const mail = {
  to: 'ada@mail.test',
  subject: 'A wren\r\nBcc: x@mail.test',
  text: 'It sings.',
  html: '<p>It sings.</p>',
  headers: { 'List-Unsubscribe': '<https://fieldfare.test/unsubscribe/1>' },
}

const config = { ...context().config, mailFrom: 'hello@fieldfare.test' }

/** Sends a mail through a fake binding that fails with `failure`, if given, and returns what the binding was given. */
async function sending(failure: unknown = null) {
  const given: unknown[] = []
  const EMAIL = {
    send: async (built: unknown) => {
      given.push(built)
      if (failure !== null) throw failure
      return { messageId: '<1@fieldfare.test>' }
    },
  }
  const { mailer } = wire({ ...env, EMAIL }, { waitUntil: () => undefined }, { config })
  if (mailer === null) throw new Error('MAIL_FROM makes a mailer')
  const outcome = await mailer.send(mail).catch((thrown: unknown) => thrown)
  return { given, outcome }
}

describe('the mailer', () => {
  it('passes the binding a complete mail with clean header lines', async () => {
    expect((await sending()).given).toEqual([
      {
        from: 'hello@fieldfare.test',
        to: mail.to,
        subject: 'A wren Bcc: x@mail.test',
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      },
    ])
  })

  it('the mailer is understood by the real binding', async () => {
    const { mailer } = context({ config })
    await expect(mailer?.send(mail)).resolves.toBeUndefined()
  })

  it('distinguishes a refusal from a temporary failure', async () => {
    const refused = Object.assign(new Error('no'), { code: 'E_RECIPIENT_SUPPRESSED' })
    const late = Object.assign(new Error('no'), { code: 'E_RATE_LIMIT_EXCEEDED' })
    expect((await sending(refused)).outcome).toBeInstanceOf(MailRefused)
    const { outcome } = await sending(late)
    expect(outcome).toEqual(new Error('no'))
    expect(outcome).not.toBeInstanceOf(MailRefused)
  })

  it.each(['E_RECIPIENT_SUPPRESSED', 'E_RATE_LIMIT_EXCEEDED'])(
    'names no address where it fails by %s',
    async (code) => {
      const { outcome } = await sending(Object.assign(new Error(`${mail.to} takes no mail`), { code }))
      const reasons = [outcome, outcome instanceof Error ? outcome.cause : null].map(String).join()
      expect(reasons).toContain('the recipient takes no mail')
      expect(reasons).not.toContain(mail.to)
    },
  )

  it('the mailer is missing where no sender is set', () => {
    expect(context().mailer).toBeNull()
  })
})

it.each([
  ['refused', new MailRefused(new Error('no')), ['ack']],
  ['failed', new Error('no'), ['retry 60']],
])('a job whose mail was %s is %s', async (_what, failure, expected) => {
  const settled: string[] = []
  const message = {
    body: { kind: 'send-account-email', accountId: 1, purpose: 'confirm' },
    ack: () => void settled.push('ack'),
    retry: (options?: { readonly delaySeconds?: number }) =>
      void settled.push(`retry ${options?.delaySeconds}`),
  }
  await consume(context({ log: { info: () => undefined, error: () => undefined } }), [message], async () => {
    throw failure
  })
  expect(settled).toEqual(expected)
})
