import type { MailSettings } from '../../src/db/schema/accounts'
import { runJob } from '../../src/jobs/run'
import { Job } from '../../src/messages/jobs'
import type { Mail } from '../../src/platform/ports'
import type { Overrides } from '../../src/platform/wire'
import { as } from './as'
import { type AccountOptions, given, type Somebody } from './given'
import { postOffice } from './mailer'
import { context } from './world'

/** Somebody who is away and wants to be mailed about what `mail` says. */
export function reader(mail: MailSettings, { user = {}, ...more }: AccountOptions = {}): Promise<Somebody> {
  return given.account({ ...more, user: { settings: { mail }, lastActiveAt: null, ...user } })
}

/** A post office with people who act before its eyes. */
export function openOffice() {
  const office = postOffice()
  const { overrides } = office
  return {
    ...office,
    /** Does something by the API as somebody. */
    post: (by: Somebody, path: string, body: Readonly<Record<string, unknown>> = {}) =>
      as(by).post(path, body, { overrides }),
    /** What waits to be mailed, by id. */
    waiting: () => office.queued.flatMap((job) => idsOf(Job.parse(job))),
  }
}

function idsOf(event: Job): readonly number[] {
  return event.kind === 'send-notification-emails' ? event.notificationIds : []
}

/** Does the work for these notifications: how it ended, and what was sent. `fail` throws where sending shall fail. */
export async function mailOut(
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
    reaches: async () => true,
  }
  const overrides: Overrides = { mailer, ...more }
  const { kind } = await runJob(context(overrides), {
    kind: 'send-notification-emails',
    notificationIds: [...ids],
  })
  return { kind, sent }
}
