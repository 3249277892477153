import { Job } from '../../src/messages/jobs'
import type { Mail } from '../../src/ports/mail'
import type { Mailer } from '../../src/ports/services'
import { runJob } from './run-job'
import { context } from './test-app'

/** A mailer that keeps what it was given, and a queue whose work is done when the test says so. */
export function fakeMailer(options: { readonly reaches?: boolean; readonly hosts?: readonly string[] } = {}) {
  const sent: Mail[] = []
  const queued: unknown[] = []
  const mailer: Mailer = {
    send: async (mail) => void sent.push(mail),
    lookUp: async () => ({ acceptsMail: options.reaches ?? true, hosts: options.hosts ?? [] }),
  }
  const jobs = { send: async (job: Job) => void queued.push(job) }
  const overrides = { mailer, jobs }
  /** Runs the queued jobs and returns the mails they sent. */
  async function deliver(): Promise<readonly Mail[]> {
    const before = sent.length
    for (const job of queued.splice(0)) await runJob(context(overrides), Job.parse(job))
    return sent.slice(before)
  }
  return { overrides, queued, sent, deliver }
}

/** The path and query of the link in a mail. */
export function linkIn(mail: Mail | undefined): string {
  const found = /https:\/\/fieldfare\.test(\/\S+)/.exec(mail?.text ?? '')
  if (found?.[1] === undefined) throw new Error('The mail holds no link')
  return found[1]
}
