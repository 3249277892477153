import { mailFailure, toEmailMessage } from '../lib/mail/mail'
import { lookUpMail } from './dns'
import type { Log, Mailer } from './ports'

export function mailerOf(binding: SendEmail, from: string, log: Log): Mailer {
  return {
    send: async (mail) => {
      try {
        await binding.send({ from, ...toEmailMessage(mail) })
      } catch (cause) {
        throw mailFailure(cause, mail)
      }
    },
    lookUp: (domain) => lookUpMail(domain, log),
  }
}
