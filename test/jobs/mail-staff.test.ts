import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, noticeMails, notifications, roles, users } from '../../src/db/schema'
import type { MailSettings } from '../../src/db/schema/accounts'
import { Changes, commit } from '../../src/domain/core/changes'
import { addWarning, type NewWarning } from '../../src/domain/users/warn'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { emailedAccount, fakeMailScenario, sendNotificationMails } from '../support/given-mail'
import { clock, context } from '../support/test-app'

/** A local account with a role of these permissions, made for one test. */
async function staff(permissions: number, mail: MailSettings = {}): Promise<TestAccount> {
  const ctx = context()
  const roleId = ctx.ids.next()
  const now = clock.now()
  const role = { name: `Role ${roleId}`, position: 5, permissions, createdAt: now, updatedAt: now }
  await ctx.db.insert(roles).values({ ...role, id: roleId })
  return emailedAccount(mail, { user: { roleId } })
}

const manageReports = 1 << 4
const manageUsers = 1 << 10

/** The mails that came to these people, by address, for others on the staff are told as well. */
const to = (
  people: readonly TestAccount[],
  mails: readonly { readonly to: string; readonly subject: string }[],
) => mails.filter((mail) => people.some(({ email }) => email === mail.to)).map(({ subject }) => subject)

async function reported(mailer: ReturnType<typeof fakeMailScenario>) {
  const [bob, eve] = [await given.account(), await given.remoteAccount()]
  await mailer.post(bob, '/api/v1/reports', { account_id: String(eve.id), comment: 'Spam\r\nfor <b>seeds' })
  return { bob, eve }
}

describe('mail to staff', () => {
  it('mails staff about new reports unless they opt out [T-651]', async () => {
    const [ada, cleo, member] = [
      await staff(manageReports),
      await staff(manageReports, { 'admin.report': false }),
      await emailedAccount({ 'admin.report': true }),
    ]
    const mailer = fakeMailScenario()
    const { bob, eve } = await reported(mailer)
    const mails = await mailer.deliver()
    const subject = `@${bob.username}@fieldfare.test reported @${eve.username}@elsewhere.test`
    expect(to([ada, cleo, member], mails)).toEqual([subject])
    const mail = mails.find((one) => one.to === ada.email)
    expect(mail?.text).toContain('> Spam\n> for <b>seeds\n')
    expect(mail?.html).toContain('for &lt;b&gt;seeds')
    expect(mail?.text).toContain('Stop these e-mails: https://fieldfare.test/unsubscribe/')
  })

  it('mails staff while they are connected too, because they have to act', async () => {
    const ada = await staff(manageReports)
    await context().db.update(users).set({ lastActiveAt: clock.now() }).where(eq(users.accountId, ada.id))
    const mailer = fakeMailScenario()
    await reported(mailer)
    expect(to([ada], await mailer.deliver())).toHaveLength(1)
  })

  it('mails staff about new sign-ups where they chose so', async () => {
    const [ada, cleo] = [await staff(manageUsers, { 'admin.sign_up': true }), await staff(manageUsers)]
    const mailer = fakeMailScenario()
    const bob = await given.account({ displayName: 'Bob', user: { approved: false } })
    const approve = `/api/v1/admin/accounts/${bob.id}/approve`
    await as('a-setup-token-for-tests').post(approve, undefined, mailer)
    // The first jobs run the effect, which queues the mail.
    const mails = [...(await mailer.deliver()), ...(await mailer.deliver())]
    expect(to([ada, cleo], mails)).toEqual(['Bob joined'])
  })

  it('mails no former staff', async () => {
    const ada = await staff(manageReports)
    const mailer = fakeMailScenario()
    await reported(mailer)
    await context().db.update(users).set({ roleId: null }).where(eq(users.accountId, ada.id))
    expect(to([ada], await mailer.deliver())).toEqual([])
  })
})

describe('a decision of the moderators', () => {
  async function warned(ada: TestAccount, warning: Partial<NewWarning> = {}) {
    const ctx = context({ ...fakeMailScenario().overrides })
    const changes = new Changes()
    addWarning(ctx, changes, { targetId: ada.id, action: 'none', text: 'Be kind.', by: null, ...warning })
    await commit(ctx, changes)
    const [row] = await ctx.db.select().from(notifications).where(eq(notifications.accountId, ada.id))
    if (row === undefined) throw new Error('nobody was notified')
    return row.id
  }

  it.each([
    ['none', 'sent you a warning'],
    ['silence', 'limited your account'],
    ['suspend', 'suspended your account'],
  ] as const)('mails the target of a decision to %s, which no setting can request', async (action, says) => {
    const ada = await given.account()
    const { sent } = await sendNotificationMails([await warned(ada, { action })])
    expect(sent.map((mail) => [mail.to, mail.subject])).toEqual([
      [ada.email, `The moderators of fieldfare.test ${says}`],
    ])
    expect(sent[0]?.text).toContain('> Be kind.')
  })

  it('mails a decision to an account that it locks out', async () => {
    const [ada, bob] = [await given.account(), await given.account()]
    const ids = [await warned(ada, { action: 'suspend' }), await warned(bob, { action: 'disable' })]
    const { db } = context()
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, ada.id))
    await db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, bob.id))
    expect((await sendNotificationMails(ids)).sent.map((mail) => mail.to)).toEqual([ada.email, bob.email])
  })

  it('a mail about a decision does not name the moderator', async () => {
    const [ada, judge] = [await given.account(), await given.account({ displayName: 'The judge' })]
    const { sent } = await sendNotificationMails([await warned(ada, { by: judge.id })])
    expect(sent).toHaveLength(1)
    for (const said of ['The judge', judge.username, String(judge.id)])
      expect(JSON.stringify(sent)).not.toContain(said)
  })

  it('sends a decision separately from other mails', async () => {
    const ada = await given.account()
    const { db } = context()
    const claims = Array.from({ length: 20 }, (_, at) => ({ accountId: ada.id, notificationId: at + 1 }))
    await db.insert(noticeMails).values(claims.map((claim) => ({ ...claim, claimedAt: clock.now() })))
    expect((await sendNotificationMails([await warned(ada)])).sent).toHaveLength(1)
  })

  it('mails about decisions can be switched off', async () => {
    const ada = await emailedAccount({ moderation_warning: false })
    expect((await sendNotificationMails([await warned(ada)])).sent).toEqual([])
  })
})
