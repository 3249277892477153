import type { MailSettings } from '../../src/db/schema/accounts'
import { Job } from '../../src/messages/jobs'
import type { Mail } from '../../src/ports/mail'
import type { Overrides } from '../../src/wire'
import { as } from './as'
import { fakeMailer } from './fake-mailer'
import { type AccountOptions, given, type TestAccount } from './given'
import { runJob } from './run-job'
import { context } from './test-app'

/** An account without connections that wants mails about the kinds in `mail`. */
export function emailedAccount(
  mail: MailSettings,
  { user = {}, ...more }: AccountOptions = {},
): Promise<TestAccount> {
  return given.account({ ...more, user: { settings: { mail }, lastActiveAt: null, ...user } })
}

/** A post office with people who act before its eyes. */
export function fakeMailScenario() {
  const postOffice = fakeMailer()
  const { overrides } = postOffice
  return {
    ...postOffice,
    /** Posts to the API as an account. */
    post: (by: TestAccount, path: string, body: Readonly<Record<string, unknown>> = {}) =>
      as(by).post(path, body, { overrides }),
    /** Ids of the notifications that wait to be mailed. */
    waiting: () => postOffice.queued.flatMap((job) => idsOf(Job.parse(job))),
  }
}

function idsOf(event: Job): readonly number[] {
  return event.kind === 'send-notification-emails' ? event.notificationIds : []
}

/** Runs the mail job for these notifications; returns outcome and mails. `fail` throws where sending shall fail. */
export async function sendNotificationMails(
  ids: readonly number[],
  fail: () => void = () => undefined,
  more: Overrides = {},
) {
  const sent: Mail[] = []
  const mailer = {
    send: async (mail: Mail) => {
      fail()
      sent.push(mail)
    },
    lookUp: async () => ({ acceptsMail: true, hosts: [] }),
  }
  const overrides: Overrides = { mailer, ...more }
  const { kind } = await runJob(context(overrides), {
    kind: 'send-notification-emails',
    notificationIds: [...ids],
  })
  return { kind, sent }
}
