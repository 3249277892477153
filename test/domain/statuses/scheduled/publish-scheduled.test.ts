import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../../src/contract/entities/status'
import { ScheduledStatus } from '../../../../src/contract/entities/status-details'
import { accounts, mediaAttachments, scheduledStatuses, users } from '../../../../src/db/schema'
import { deleteOwnAccount } from '../../../../src/domain/accounts/delete-own'
import { publishScheduled } from '../../../../src/domain/statuses/scheduled/schedule'
import { as } from '../../../support/as'
import { idsOf } from '../../../support/body-ids'
import { fakeMailer } from '../../../support/fake-mailer'
import { given, type TestAccount } from '../../../support/given'
import { relation } from '../../../support/given-relationships'
import { scheduledStatus } from '../../../support/given-scheduled'
import { storedUpload } from '../../../support/given-upload'
import { clock, context, settleLateWork } from '../../../support/test-app'

const minute = 60_000
const day = 86_400_000
const path = '/api/v1/scheduled_statuses'

const latestOf = async (who: TestAccount) => {
  const { body } = await as(who).get(`/api/v1/accounts/${who.id}/statuses`)
  return Status.array().parse(body)
}
const waitingOf = async (who: TestAccount) => ScheduledStatus.array().parse((await as(who).get(path)).body)

/** Passes a day, at the end of which what was scheduled for then is due. */
async function tomorrow(ctx = context()): Promise<void> {
  clock.advance(day)
  await publishScheduled(ctx)
  await settleLateWork()
}

describe('publishing scheduled posts', () => {
  it('publishes a scheduled post on time, with all effects of a post', async () => {
    const [alice, bob, fan] = await given.accounts(3)
    if (alice === undefined || bob === undefined || fan === undefined) throw new Error('nobody there')
    for (const followed of [alice, bob]) await relation.follow(fan, followed)
    const upload = await storedUpload(alice)
    const parent = await given.status({ by: bob })
    await scheduledStatus(alice, {
      text: `Good morning @${bob.username}`,
      spoilerText: 'Birds',
      mediaIds: [Number(upload)],
      inReplyToId: Number(parent.id),
      visibility: 'unlisted',
      language: 'de',
    })
    clock.advance(day - 1)
    await publishScheduled(context())
    expect(await latestOf(alice)).toEqual([])

    clock.advance(1)
    await publishScheduled(context())
    await settleLateWork()
    const [posted] = await latestOf(alice)
    expect(posted).toMatchObject({
      created_at: clock.now().toISOString(),
      spoiler_text: 'Birds',
      visibility: 'unlisted',
      language: 'de',
      in_reply_to_id: parent.id,
      media_attachments: [{ id: upload }],
      mentions: [{ id: String(bob.id) }],
    })
    expect(idsOf(await as(fan).get('/api/v1/timelines/home'))).toContain(posted?.id)
    const heard = (await as(bob).get('/api/v1/notifications')).body
    expect(heard).toMatchObject([{ type: 'mention', status: { id: posted?.id } }])
    expect(await waitingOf(alice)).toEqual([])
  })

  it('publishes it once, however often and concurrently the task runs', async () => {
    const alice = await given.account()
    await scheduledStatus(alice)
    clock.advance(day)
    await Promise.all([publishScheduled(context()), publishScheduled(context())])
    await publishScheduled(context())
    expect(await latestOf(alice)).toHaveLength(1)
  })

  it('starts a poll when it is published, with its media', async () => {
    const alice = await given.account()
    const upload = await storedUpload(alice)
    const scheduled_at = new Date(clock.now().getTime() + day).toISOString()
    const poll = { options: ['Wren', 'Owl'], expires_in: 600 }
    await as(alice).post('/api/v1/statuses', { poll, media_ids: [upload], scheduled_at })
    await tomorrow()
    const [posted] = await latestOf(alice)
    expect(posted?.media_attachments).toMatchObject([{ id: upload }])
    expect(posted?.poll).toMatchObject({
      expired: false,
      expires_at: new Date(clock.now().getTime() + 600_000).toISOString(),
      options: [{ title: 'Wren' }, { title: 'Owl' }],
    })
  })

  it('retries after an interruption, and loses nothing', async () => {
    const alice = await given.account()
    const id = await scheduledStatus(alice)
    const broken = new Error('the database is away')
    clock.advance(day)
    const real = context()
    let trips = 0
    const db = new Proxy(real.db, {
      get(target, key) {
        // The third trip of the task and those after it: what was due is read and leased by then.
        if (key === 'batch' && ++trips > 3) throw broken
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await publishScheduled(context({ db }))
    expect(await latestOf(alice)).toEqual([])
    expect((await waitingOf(alice)).map((one) => one.id)).toEqual([id])
    clock.advance(minute)
    await publishScheduled(context())
    expect(await latestOf(alice)).toHaveLength(1)
  })

  it('gives up after hours of retries, and logs it', async () => {
    const alice = await given.account()
    const id = Number(await scheduledStatus(alice))
    const { db } = context()
    await db.update(scheduledStatuses).set({ attempts: 7 }).where(eq(scheduledStatuses.id, id))
    clock.advance(day)
    const resolver = {
      ...context().resolver,
      resolveHandles: async () => Promise.reject(new Error('broken')),
    }
    const params = {
      text: '@nobody@nowhere.test',
      spoilerText: '',
      mediaIds: [],
      quotePolicy: 'public',
    } as const
    await db.update(scheduledStatuses).set({ params }).where(eq(scheduledStatuses.id, id))
    await publishScheduled(context({ resolver }))
    expect(await waitingOf(alice)).toMatchObject([{ failure: 'This server could not post it' }])
  })

  it('answers a repeated request within the hour with the status', async () => {
    const alice = await given.account()
    const scheduled_at = new Date(clock.now().getTime() + 10 * minute).toISOString()
    const repeat = () =>
      as(alice).post(
        '/api/v1/statuses',
        { status: 'x', scheduled_at },
        { headers: { 'Idempotency-Key': 'k' } },
      )
    await repeat()
    clock.advance(10 * minute)
    await publishScheduled(context())
    const [posted] = await latestOf(alice)
    expect(Status.parse((await repeat()).body).id).toBe(posted?.id)
  })

  it('uses the preferences of the author where the request left them out', async () => {
    const alice = await given.account({ user: { settings: { defaultVisibility: 'private' } } })
    await scheduledStatus(alice)
    await tomorrow()
    expect(await latestOf(alice)).toMatchObject([{ visibility: 'private' }])
  })
})

describe('a scheduled post that is no longer allowed', () => {
  it('keeps the post with its reason when its parent was deleted, and mails its author', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const upload = await storedUpload(alice)
    const parent = await given.status({ by: bob })
    const id = await scheduledStatus(alice, { inReplyToId: Number(parent.id), mediaIds: [Number(upload)] })
    await as(bob).delete(`/api/v1/statuses/${parent.id}`)
    const mailer = fakeMailer()
    await tomorrow(context(mailer.overrides))
    const failure = 'The post you are trying to reply to does not appear to exist.'
    expect(await waitingOf(alice)).toMatchObject([{ id, failure, media_attachments: [{ id: upload }] }])
    const mails = await mailer.deliver()
    expect(mails).toMatchObject([{ to: alice.email, text: expect.stringContaining(failure) }])
    expect(mails[0]?.text).toContain('https://fieldfare.test/settings/scheduled')
    await tomorrow(context(mailer.overrides))
    expect(await mailer.deliver()).toEqual([])
  })

  it('keeps the post when its quoted post no longer allows quotes', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const quoted = await given.status({ by: bob })
    await scheduledStatus(alice, { quotedId: Number(quoted.id) })
    await as(bob).put(`/api/v1/statuses/${quoted.id}`, { quote_approval_policy: 'nobody' })
    await tomorrow()
    expect(await waitingOf(alice)).toMatchObject([
      { failure: 'The post you are trying to quote does not appear to exist.' },
    ])
  })

  it('keeps the post when its author may not post', async () => {
    const bar = {
      unconfirmed: (id: number) => change(id, { confirmedAt: null }),
      unapproved: (id: number) => change(id, { approved: false }),
      disabled: (id: number) => change(id, { disabledAt: clock.now() }),
      suspended: (id: number) => suspend(id, clock.now()),
    }
    for (const [state, put] of Object.entries(bar)) {
      const alice = await given.account()
      await scheduledStatus(alice)
      await put(alice.id)
      await tomorrow()
      await change(alice.id, { confirmedAt: clock.now(), approved: true, disabledAt: null })
      await suspend(alice.id, null)
      expect(await latestOf(alice), state).toEqual([])
      expect(await waitingOf(alice), state).toMatchObject([{ failure: 'This account may not post now' }])
    }
  })

  it('publishes the post when it gets another time and the reason no longer applies', async () => {
    const alice = await given.account({ user: { disabledAt: clock.now() } })
    const id = await scheduledStatus(alice)
    await tomorrow()
    await context().db.update(users).set({ disabledAt: null }).where(eq(users.accountId, alice.id))
    const scheduled_at = new Date(clock.now().getTime() + day).toISOString()
    const moved = await as(alice).put(`${path}/${id}`, { scheduled_at })
    expect(moved.body).not.toHaveProperty('failure')
    await tomorrow()
    expect(await latestOf(alice)).toHaveLength(1)
  })

  it('deletes the post with its account, and its uploads become orphans', async () => {
    const alice = await given.account()
    const upload = Number(await storedUpload(alice))
    await scheduledStatus(alice, { mediaIds: [upload] })
    clock.advance(day / 2)
    await deleteOwnAccount(context(), alice.id)
    const { db } = context()
    expect(
      await db.select().from(scheduledStatuses).where(eq(scheduledStatuses.accountId, alice.id)),
    ).toEqual([])
    const held = await db.select().from(mediaAttachments).where(eq(mediaAttachments.id, upload))
    expect(held).toMatchObject([{ statusId: null, scheduledStatusId: null, createdAt: clock.now() }])
  })
})

async function change(id: number, set: Partial<typeof users.$inferInsert>): Promise<void> {
  await context().db.update(users).set(set).where(eq(users.accountId, id))
}

async function suspend(id: number, suspendedAt: Date | null): Promise<void> {
  await context().db.update(accounts).set({ suspendedAt }).where(eq(accounts.id, id))
}
