import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, unsentMails } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import { pruneExpired } from '../../../src/domain/sessions/expire'
import { changePassword } from '../../../src/domain/users/passwords'
import { addUnsentMail } from '../../../src/domain/users/unsent-mails'
import { momentWords } from '../../../src/lib/date-words'
import type { Job } from '../../../src/messages/jobs'
import { type Mail, MailRefused } from '../../../src/ports/mail'
import { given, type TestAccount } from '../../support/given'
import { givenMember, password } from '../../support/members'
import { consume, runJob } from '../../support/run-job'
import { clock, context, settleLateWork } from '../../support/test-app'

const day = 86_400_000

/** A mailer that fails as told, and the jobs that were queued. */
function postOffice(fail: () => void = () => undefined) {
  const [sent, jobs]: [Mail[], Job[]] = [[], []]
  const mailer = {
    send: async (mail: Mail) => {
      fail()
      sent.push(mail)
    },
    lookUp: async () => ({ acceptsMail: true, hosts: [] }),
  }
  return { sent, jobs, ctx: context({ mailer, jobs: { send: async (job) => void jobs.push(job) } }) }
}

type Office = ReturnType<typeof postOffice>

/** Hands the first queued job to the consumer. Returns what became of its message. */
async function deliver({ ctx, jobs }: Office): Promise<string> {
  await settleLateWork()
  let fate = 'nothing'
  const message = {
    body: jobs[0],
    ack: () => {
      fate = 'acknowledged'
    },
    retry: (options?: { readonly delaySeconds?: number }) => {
      fate = `retried after ${options?.delaySeconds}`
    },
  }
  await consume(ctx, [message], runJob)
  return fate
}

const rowsOf = ({ id }: TestAccount) =>
  context().db.select().from(unsentMails).where(eq(unsentMails.accountId, id))

describe('a mail about a changed password', () => {
  async function changed(office: Office) {
    const alice = await givenMember()
    const change = {
      current: password,
      next: 'a very new password',
      keepSessionId: 0,
      endsApplications: false,
    }
    await changePassword(office.ctx, alice.id, change)
    return alice
  }

  it('a mail about a changed password is stored with the change, and sent by a message that names only the row', async () => {
    const office = postOffice()
    const alice = await changed(office)
    const [row] = await rowsOf(alice)
    expect(office.jobs.length).toBeLessThanOrEqual(1)
    expect(await deliver(office)).toBe('acknowledged')
    expect(office.jobs).toEqual([{ kind: 'send-unsent-mail', mailId: row?.id }])
    expect(office.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [alice.email, 'fieldfare.test: your password was changed'],
    ])
    expect(await rowsOf(alice)).toEqual([])
    expect(await deliver(office)).toBe('acknowledged')
    expect(office.sent).toHaveLength(1)
  })

  it('a mail about a changed password is retried while the mailer fails, and contains the time of the change', async () => {
    let isBroken = true
    const office = postOffice(() => {
      if (isBroken) throw new Error('out of order')
    })
    const alice = await changed(office)
    const happened = momentWords('en', clock.now())
    for (let attempt = 0; attempt < 8; attempt += 1) expect(await deliver(office)).toBe('retried after 600')
    clock.advance(3 * 3_600_000)
    isBroken = false
    expect(await deliver(office)).toBe('acknowledged')
    expect(office.sent[0]?.text).toContain(`was changed on ${happened}.`)
    expect(await rowsOf(alice)).toEqual([])
  })

  it('a mail about a changed password is dropped where the address was permanently refused or the account is deleted', async () => {
    const refused = postOffice(() => {
      throw new MailRefused('no such mailbox')
    })
    const alice = await changed(refused)
    expect(await deliver(refused)).toBe('acknowledged')
    expect(await rowsOf(alice)).toEqual([])
    const office = postOffice()
    const bob = await changed(office)
    await context().db.delete(accounts).where(eq(accounts.id, bob.id))
    expect(await deliver(office)).toBe('acknowledged')
    expect(office.sent).toEqual([])
  })

  it('a mail about a changed password is neither stored nor queued where no mail can be sent', async () => {
    const office = postOffice()
    const alice = await changed({ ...office, ctx: context({ mailer: null }) })
    expect([await rowsOf(alice), office.jobs]).toEqual([[], []])
  })
})

describe('unsent mails', () => {
  it('unsent mails are kept for a week, in which an operator can resend dead letters', async () => {
    const { ctx } = postOffice()
    const alice = await given.account()
    const mail = { accountId: alice.id, username: alice.username, email: alice.email, locale: 'en' }
    const add = () => commit(ctx, addUnsentMail(ctx, new Changes(), { kind: 'two-factor-on', ...mail }))
    await add()
    clock.advance(6 * day)
    await pruneExpired(ctx)
    expect(await rowsOf(alice)).toHaveLength(1)
    clock.advance(day)
    await pruneExpired(ctx)
    expect(await rowsOf(alice)).toHaveLength(0)
  })

  it('a mail about a rejected sign-up outlives the account, and a failing mailer fails no decision', async () => {
    const office = postOffice()
    const mail = {
      kind: 'sign-up-rejected',
      accountId: null,
      username: 'bird',
      email: 'bird@mail.test',
      locale: 'de-AT',
    } as const
    await commit(office.ctx, addUnsentMail(office.ctx, new Changes(), mail))
    expect(await deliver(office)).toBe('acknowledged')
    expect(office.sent).toMatchObject([{ to: 'bird@mail.test', subject: 'Deine Anfrage für fieldfare.test' }])
  })
})
