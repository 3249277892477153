import { saveSettings } from '../../../src/domain/instance/save-settings'
import { operator } from '../../../src/domain/policy/permissions'
import type { JobKind } from '../../../src/messages/jobs'
import { given, type TestAccount } from '../given'
import { emailedAccount } from '../given-mail'
import { subscribedDevice } from '../given-push'
import { scheduledStatus } from '../given-scheduled'
import { storedNotification } from '../given-stored'
import { givenStrike } from '../given-strike'
import { storedRow } from '../stored-row'
import { clock, context } from '../test-app'
import { change, type Mailbox, type Scenario, stored, type WaitingJob } from './scenario'

/** A job after which a mail to the member was sent. */
function mailed(mailsTo: Mailbox, { email }: TestAccount, message: WaitingJob['message']): WaitingJob {
  return {
    message,
    seen: async () => mailsTo(email),
    before: 0,
    after: 1,
  }
}

const now = () => clock.now().getTime()

/** Mails and pushed messages. */
export const jobsOfMail = {
  'send-account-email': async (mailsTo) => {
    const alice = await given.account()
    return mailed(mailsTo, alice, { kind: 'send-account-email', accountId: alice.id, purpose: 'approved' })
  },
  'send-unsent-mail': async (mailsTo) => {
    const alice = await given.account()
    const { id: account, username, email } = alice
    const values = { account_id: account, kind: 'password-changed', username, email, happened_at: now() }
    return mailed(mailsTo, alice, {
      kind: 'send-unsent-mail',
      mailId: await storedRow('unsent_mails', values),
    })
  },
  'send-appeal-email': async (mailsTo) => {
    const alice = await given.account()
    const appealId = await storedRow('appeals', {
      account_id: alice.id,
      strike_id: await givenStrike(alice),
      text: 'Why?',
      created_at: now(),
      approved_at: now(),
    })
    return mailed(mailsTo, alice, { kind: 'send-appeal-email', appealId })
  },
  'send-webhook-email': async (mailsTo) => {
    const alice = await given.account()
    const webhookId = await storedRow('webhooks', {
      url: `https://receiver.test/${alice.id}`,
      events: '[]',
      enabled: 0,
      created_at: now(),
      updated_at: now(),
    })
    return mailed(mailsTo, alice, { kind: 'send-webhook-email', accountId: alice.id, webhookId })
  },
  'send-alert': async (mailsTo) => {
    const alice = await given.account()
    await saveSettings(context(), operator, { alertsEmail: true })
    return mailed(mailsTo, alice, {
      kind: 'send-alert',
      cause: 'database',
      isResolved: false,
      accountId: alice.id,
    })
  },
  'send-notification-emails': async (mailsTo) => {
    const [alice, bob] = [await emailedAccount({ follow: true }), await given.account()]
    const id = await storedNotification({ accountId: alice.id, fromAccountId: bob.id, type: 'follow' })
    return mailed(mailsTo, alice, { kind: 'send-notification-emails', notificationIds: [id] })
  },
  'notify-scheduled-failure': async (mailsTo) => {
    const alice = await given.account()
    const id = Number(await scheduledStatus(alice))
    await change(`update scheduled_statuses set failure = 'It was too long' where id = ?`, id)
    return mailed(mailsTo, alice, {
      kind: 'notify-scheduled-failure',
      accountId: alice.id,
      scheduledId: id,
    })
  },
  'mail-terms': async (mailsTo) => {
    const alice = await given.account()
    await storedTerms('2026-12-01')
    return mailed(mailsTo, alice, {
      kind: 'mail-terms',
      effectiveOn: '2026-12-01',
      part: 0,
      delaySeconds: 0,
    })
  },
  'mail-terms-to': async (mailsTo) => {
    const alice = await given.account()
    await storedTerms('2026-12-02')
    return mailed(mailsTo, alice, { kind: 'mail-terms-to', effectiveOn: '2026-12-02', accountId: alice.id })
  },
  'send-push': async () => {
    const { device, notificationId } = await pushable()
    return {
      message: { kind: 'send-push', notificationIds: [notificationId] },
      seen: async () => device.pushed.length,
      before: 0,
      after: 1,
    }
  },
  'retry-push': async () => {
    const { alice, device, notificationId } = await pushable()
    const subscriptionId = await stored('select id from push_subscriptions where account_id = ?', alice.id)
    return {
      message: { kind: 'retry-push', subscriptionId, notificationId, attempt: 1 },
      seen: async () => device.pushed.length,
      before: 0,
      after: 1,
    }
  },
} satisfies Partial<Record<JobKind, Scenario>>

async function storedTerms(effectiveOn: string): Promise<void> {
  await storedRow('terms_of_service', { effective_on: effectiveOn, text: 'Be here', published_at: now() })
  await storedRow('terms_notices', { effective_on: effectiveOn, joined_before: now(), sent_at: now() })
}

async function pushable() {
  const [alice, bob] = [await given.account(), await given.account()]
  const device = await subscribedDevice(alice)
  const about = { accountId: alice.id, fromAccountId: bob.id, type: 'follow' } as const
  return { alice, device, notificationId: await storedNotification(about) }
}
