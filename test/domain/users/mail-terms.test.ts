import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { termsNotices, termsOfService, users } from '../../../src/db/schema'
import { scheduleTerms } from '../../../src/domain/instance/terms'
import { operator } from '../../../src/domain/policy/permissions'
import { termsMailLimits } from '../../../src/domain/users/mail-terms'
import { placeholderAddress } from '../../../src/domain/users/warn'
import type { Job } from '../../../src/messages/jobs'
import { type Mail, MailRefused } from '../../../src/ports/mail'
import { freshName, given } from '../../support/given'
import { runJob } from '../../support/run-job'
import { clock, context, settleLateWork } from '../../support/test-app'

const day = 86_400_000
const dayIn = (days: number) => new Date(clock.now().getTime() + days * day).toISOString().slice(0, 10)

/** A mailer that fails as told, and a queue whose jobs run when the test says so. */
function postOffice(fail: (mail: Mail) => void = () => undefined) {
  const sent: Mail[] = []
  const queued: { readonly job: Job; readonly delaySeconds: number }[] = []
  const mailer = {
    send: async (mail: Mail) => {
      fail(mail)
      sent.push(mail)
    },
    lookUp: async () => ({ acceptsMail: true, hosts: [] }),
  }
  const ctx = context({
    mailer,
    jobs: {
      send: async (job, options) => void queued.push({ job, delaySeconds: options?.delaySeconds ?? 0 }),
    },
  })
  const next = async () => {
    await settleLateWork()
    return queued.shift()
  }
  return { sent, queued, ctx, next, to: () => sent.map((mail) => mail.to) }
}

type Office = ReturnType<typeof postOffice>

/** Runs all jobs, and those that they queue. */
async function work({ ctx, next }: Office) {
  const outcomes: string[] = []
  for (let one = await next(); one !== undefined; one = await next())
    outcomes.push((await runJob(ctx, one.job)).kind)
  return outcomes
}

async function publish({ ctx }: Office, effectiveOn = dayIn(30)) {
  const terms = { text: 'Be kind.', changelog: 'Kindness\n<b>added</b>', effectiveOn, notify: true }
  await scheduleTerms(ctx, operator, terms)
  return effectiveOn
}

async function noticeOf(effectiveOn: string) {
  const { db } = context()
  const [notice] = await db.select().from(termsNotices).where(eq(termsNotices.effectiveOn, effectiveOn))
  return notice
}

describe('mails about new terms', () => {
  beforeEach(async () => {
    await context().db.delete(termsOfService)
    // Members of another test are none of this one.
    await context().db.delete(users)
    clock.advance(2 * 365 * day)
  })

  it('mails about new terms are sent to every confirmed, active member, each once, in parts', async () => {
    const members = await given.accounts(termsMailLimits.membersPerPart + 5)
    const office = postOffice()
    const effectiveOn = await publish(office)
    const later = await given.account({ user: { createdAt: new Date(clock.now().getTime() + 1) } })
    expect(await work(office)).toEqual(['done', 'done'])
    expect(office.to().toSorted()).toEqual(members.map(({ email }) => email).toSorted())
    expect(office.to()).not.toContain(later.email)
    expect(await noticeOf(effectiveOn)).toMatchObject({ mails: members.length, finishedAt: clock.now() })
  })

  it('mails about new terms are sent with a pause in between, which limits the rate', async () => {
    await given.accounts(termsMailLimits.membersPerPart)
    const office = postOffice()
    await publish(office)
    const first = await office.next()
    await runJob(office.ctx, first?.job ?? { kind: 'mail-terms', effectiveOn: '', part: 0, delaySeconds: 0 })
    expect(office.sent).toHaveLength(termsMailLimits.membersPerPart)
    const second = await office.next()
    expect(second).toMatchObject({ job: { part: 1 }, delaySeconds: termsMailLimits.partGapSeconds })
  })

  it('mails about new terms contain the changes, their date and a link, and no secret', async () => {
    const alice = await given.account()
    const office = postOffice()
    const effectiveOn = await publish(office, '2099-01-02')
    await work(office)
    const mail = office.sent.find(({ to }) => to === alice.email)
    expect(mail?.subject).toBe('The terms of service of fieldfare.test change on 2 January 2099')
    expect(mail?.text).toContain('> Kindness\n> <b>added</b>')
    expect(mail?.text).toContain(`https://fieldfare.test/terms-of-service/${effectiveOn}`)
    expect(mail?.html).toContain('&lt;b&gt;added&lt;/b&gt;')
  })

  it('mails about new terms skip members without a usable address or absent for a year', async () => {
    const username = freshName()
    const longAgo = new Date(clock.now().getTime() - 366 * day)
    await given.account({ user: { confirmedAt: null } })
    await given.account({ user: { approved: false } })
    await given.account({ suspendedAt: clock.now() })
    await given.account({ user: { lastActiveAt: longAgo, createdAt: longAgo } })
    await given.account({ username, user: { email: placeholderAddress(context(), username) } })
    const away = new Date(clock.now().getTime() - 364 * day)
    const alice = await given.account({ user: { lastActiveAt: away, createdAt: longAgo } })
    const office = postOffice()
    await publish(office)
    await work(office)
    expect(office.to()).toEqual([alice.email])
  })

  it('mails about new terms are sent once where a part runs twice, in sequence or concurrently', async () => {
    const members = await given.accounts(3)
    const office = postOffice()
    const effectiveOn = await publish(office)
    const job = { kind: 'mail-terms', effectiveOn, part: 0, delaySeconds: 0 } as const
    await Promise.all([runJob(office.ctx, job), runJob(office.ctx, job)])
    expect((await runJob(office.ctx, job)).kind).toBe('ignored')
    expect(office.to().toSorted()).toEqual(members.map(({ email }) => email).toSorted())
  })

  it('mails about new terms continue after the last one sent where a part was interrupted', async () => {
    const members = await given.accounts(4)
    const office = postOffice()
    const effectiveOn = await publish(office)
    await context()
      .db.update(termsNotices)
      .set({ mailedUpTo: members[1]?.id ?? 0 })
      .where(eq(termsNotices.effectiveOn, effectiveOn))
    await work(office)
    expect(office.to()).toEqual(members.slice(2).map(({ email }) => email))
  })

  it('a failed mail about new terms is retried alone; others continue', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    let isBroken = true
    const office = postOffice(({ to }) => {
      if (isBroken && to === alice.email) throw new Error('mailbox busy')
    })
    await publish(office)
    await runJob(office.ctx, (await office.next())?.job ?? never())
    expect(office.to()).toEqual([bob.email])
    const again = (await office.next()) ?? never()
    expect(again).toEqual({
      job: { kind: 'mail-terms-to', effectiveOn: dayIn(30), accountId: alice.id },
      delaySeconds: termsMailLimits.retrySeconds,
    })
    const { retrySeconds: afterSeconds } = termsMailLimits
    expect(await runJob(office.ctx, again.job)).toEqual({ kind: 'retry', afterSeconds })
    isBroken = false
    expect((await runJob(office.ctx, again.job)).kind).toBe('done')
    expect(office.to()).toEqual([bob.email, alice.email])
  })

  it('a permanently refused mail about new terms is not retried', async () => {
    const alice = await given.account()
    const office = postOffice(() => {
      throw new MailRefused('no such mailbox')
    })
    await publish(office)
    await work(office)
    expect(office.queued).toEqual([])
    const job = { kind: 'mail-terms-to', effectiveOn: dayIn(30), accountId: alice.id } as const
    expect((await runJob(office.ctx, job)).kind).toBe('done')
  })

  it('mails about new terms pause, longer each time, while the mailer fails, and skip nobody', async () => {
    const { failuresPerPart, firstPauseSeconds } = termsMailLimits
    const members = await given.accounts(2 * failuresPerPart + 2)
    let isBroken = true
    const office = postOffice(() => {
      if (isBroken) throw new Error('daily limit reached')
    })
    await publish(office)
    const single: Job[] = []
    for (const pause of [firstPauseSeconds, 2 * firstPauseSeconds]) {
      await runJob(office.ctx, (await office.next())?.job ?? never())
      for (let at = 0; at < failuresPerPart; at += 1) single.push((await office.next())?.job ?? never())
      expect((await office.next()) ?? never()).toMatchObject({ delaySeconds: pause })
      const { part } = (await noticeOf(dayIn(30))) ?? never()
      office.queued.push({
        job: { kind: 'mail-terms', effectiveOn: dayIn(30), part, delaySeconds: pause },
        delaySeconds: pause,
      })
    }
    isBroken = false
    for (const job of single) await runJob(office.ctx, job)
    await work(office)
    expect(office.to().toSorted()).toEqual(members.map(({ email }) => email).toSorted())
  })

  it('mails about new terms stop with the terms: a cancelled version is mailed to nobody else', async () => {
    await given.account()
    const office = postOffice()
    await publish(office)
    await context().db.delete(termsOfService)
    expect(await work(office)).toEqual(['ignored'])
    expect(office.sent).toEqual([])
  })

  it('new terms queue no job where no mail can be sent', async () => {
    await given.account()
    const ctx = context({ mailer: null })
    await scheduleTerms(ctx, operator, { text: 'x', changelog: '', effectiveOn: dayIn(1), notify: true })
    const job = { kind: 'mail-terms', effectiveOn: dayIn(1), part: 0, delaySeconds: 0 } as const
    expect((await runJob(ctx, job)).kind).toBe('ignored')
  })
})

function never(): never {
  throw new Error('Nothing is queued')
}
