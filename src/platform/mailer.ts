import { mailFailure, toEmailMessage } from '../lib/mail/mail'
import { lookUpMail } from './dns'
import type { Log, Mailer, Usage } from './ports'

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
