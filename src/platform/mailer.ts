import { mailFailure, sendable } from '../lib/mail/mail'
import { receivesMail } from './dns'
import type { Log, Mailer } from './ports'

export function mailerOf(binding: SendEmail, from: string, log: Log): Mailer {
  return {
    send: async (mail) => {
      try {
        await binding.send({ from, ...sendable(mail) })
      } catch (cause) {
        throw mailFailure(cause, mail)
      }
    },
    reaches: (domain) => receivesMail(domain, log),
  }
}
