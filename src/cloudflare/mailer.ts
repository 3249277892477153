import { mailFailure, toEmailMessage } from '../lib/mail/mail'
import type { Usage } from '../lib/usage/usage'
import type { Log } from '../ports/ctx'
import type { Mailer } from '../ports/services'
import { lookUpMail } from './dns'

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
