import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  accountDeletions,
  accounts,
  accountWarnings,
  auditLog,
  counters,
  moderationEvidence,
  reports,
  users,
  warningPresets,
} from '../../../src/db/schema'
import { deleteSuspendedAccount } from '../../../src/domain/moderation/delete-account'
import { operator } from '../../../src/domain/policy/permissions'
import { as } from '../../support/as'
import { fakeMailer } from '../../support/fake-mailer'
import { given, type TestAccount } from '../../support/given'
import { givenOwner, givenStaff } from '../../support/given-staff'
import { moderate } from '../../support/moderate'
import { clock, context } from '../../support/test-app'

const path = (id: number, what = '') => `/api/v1/admin/accounts/${id}${what === '' ? '' : `/${what}`}`
const { db } = context()

let moderator: TestAccount
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageUsers'] })
})

const act = (target: { readonly id: number }, body: Record<string, unknown>, overrides = {}) =>
  as(moderator).post(path(target.id, 'action'), body, { overrides })

async function strikesOf(id: number) {
  return db
    .select()
    .from(accountWarnings)
    .where(eq(accountWarnings.targetAccountId, id))
    .orderBy(accountWarnings.id)
}

async function actsOn(id: number) {
  const found = await db.select().from(auditLog).where(eq(auditLog.targetId, id)).orderBy(auditLog.id)
  return found.map(({ action, username }) => ({ action, username }))
}

async function report(target: { readonly id: number }, statusIds: readonly number[] = []) {
  const id = context().ids.next()
  const reporter = await given.account()
  await db.insert(reports).values({
    id,
    accountId: reporter.id,
    targetAccountId: target.id,
    statusIds,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  })
  return id
}

async function isResolved(id: number) {
  const [row] = await db.select().from(reports).where(eq(reports.id, id))
  return row?.actionTakenAt !== null
}

const Strikes = z.array(z.object({ moderation_warning: z.object({ action: z.string(), text: z.string() }) }))

describe('POST /api/v1/admin/accounts/:id/action', () => {
  it.each([
    ['disable', 'disabled', 'enable'],
    ['sensitive', 'sensitized', 'unsensitive'],
    ['silence', 'silenced', 'unsilence'],
    ['suspend', 'suspended', 'unsuspend'],
  ])(
    '%s sets the state, stores a strike and a log entry, and the undo clears it [T-829]',
    async (type, key, undo) => {
      const alice = await given.account()
      const answer = await act(alice, { type, text: 'Enough' })
      expect(answer).toMatchObject({ status: 200, body: {} })
      expect((await as(moderator).get(path(alice.id))).body).toMatchObject({ [key]: true })
      expect(await strikesOf(alice.id)).toMatchObject([
        { action: type, text: 'Enough', accountId: moderator.id },
      ])
      const again = await act(alice, { type })
      expect(again.status).toBe(409)
      const undone = await as(moderator).post(path(alice.id, undo))
      expect(undone).toMatchObject({ status: 200, body: { [key]: false } })
      expect(await actsOn(alice.id)).toEqual(
        [type, undo].map((action) => ({ action, username: moderator.username })),
      )
      expect(await strikesOf(alice.id)).toHaveLength(1)
    },
  )

  it('suspending blocks the e-mail address, unless block_email is false', async () => {
    const judge = await givenStaff({ permissions: ['manageBlocks'] })
    const isBlocked = async ({ email }: TestAccount) => {
      const answer = await as(judge).post('/api/v1/admin/canonical_email_blocks/test', { email })
      return z.array(z.unknown()).parse(answer.body).length > 0
    }
    const [alice, bob] = [await given.account(), await given.account()]
    await act(alice, { type: 'suspend' })
    await act(bob, { type: 'suspend', block_email: false })
    expect([await isBlocked(alice), await isBlocked(bob)]).toEqual([true, false])
    const [{ newValues } = { newValues: {} }] = await db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, bob.id))
    expect(newValues).toMatchObject({ suspend: true, block_email: false })
    await as(moderator).post(path(alice.id, 'unsuspend'))
    expect(await isBlocked(alice)).toBe(false)
  })

  it('type none warns by a notification with the text [T-832]', async () => {
    const alice = await given.account({ user: { lastActiveAt: null } })
    await act(alice, { type: 'none', text: 'Mind the rules' })
    const notified = await as(alice).get('/api/v1/notifications?types[]=moderation_warning')
    expect(Strikes.parse(notified.body)).toEqual([
      { moderation_warning: expect.objectContaining({ action: 'none', text: 'Mind the rules' }) },
    ])
    expect(await actsOn(alice.id)).toEqual([{ action: 'warn', username: moderator.username }])
  })

  it('stores the strike without a notification where none is wanted [T-833]', async () => {
    const alice = await given.account()
    await act(alice, { type: 'silence', text: 'Quiet', send_email_notification: false })
    expect(await strikesOf(alice.id)).toHaveLength(1)
    expect((await as(alice).get('/api/v1/notifications')).body).toEqual([])
  })

  it('puts the text of a preset before the entered text', async () => {
    const alice = await given.account()
    const id = context().ids.next()
    const now = clock.now()
    await db
      .insert(warningPresets)
      .values({ id, title: 'Spam', text: 'No spam.', createdAt: now, updatedAt: now })
    await act(alice, { type: 'none', text: 'Really.', warning_preset_id: String(id) })
    expect(await strikesOf(alice.id)).toMatchObject([{ text: 'No spam.\n\nReally.' }])
    expect((await act(alice, { type: 'none', warning_preset_id: '7' })).status).toBe(404)
  })

  it('POST /api/v1/admin/accounts/:id/action resolves its report and stores its statuses, and a warning leaves other reports open', async () => {
    const alice = await given.account()
    const status = await given.status({ by: alice, text: 'Buy' })
    const [first, second] = [await report(alice, [Number(status.id)]), await report(alice)]
    await act(alice, { type: 'none', report_id: String(first) })
    expect([await isResolved(first), await isResolved(second)]).toEqual([true, false])
    expect(await strikesOf(alice.id)).toMatchObject([{ reportId: first, statusIds: [Number(status.id)] }])
    expect(
      await db
        .select()
        .from(moderationEvidence)
        .where(eq(moderationEvidence.statusId, Number(status.id))),
    ).toMatchObject([{ snapshot: { content: '<p>Buy</p>' } }])
    await act(alice, { type: 'silence' })
    expect(await isResolved(second)).toBe(true)
    expect(await actsOn(first)).toEqual([{ action: 'resolve', username: moderator.username }])
  })

  it('resolves many reports in one invocation, with a log entry for each', async () => {
    const alice = await given.account()
    const open: number[] = []
    for (let count = 0; count < 60; count += 1) open.push(await report(alice))
    const { status, costs } = await act(alice, { type: 'silence' })
    expect(status).toBe(200)
    expect(costs.statements).toBeLessThanOrEqual(40)
    const entries = await db
      .select()
      .from(auditLog)
      .where(inArray(auditLog.targetId, open.slice(0, 90)))
    expect(entries).toHaveLength(60)
    expect(entries[59]).toMatchObject({
      action: 'resolve',
      accountId: moderator.id,
      targetType: 'report',
      oldValues: { resolved: false },
      newValues: { resolved: true },
      createdAt: clock.now(),
    })
    for (const id of open) expect(await isResolved(id)).toBe(true)
  })

  it('leaves out the statuses of the report on request, and includes named ones', async () => {
    const alice = await given.account()
    const status = await given.status({ by: alice, text: 'Buy' })
    const id = await report(alice, [Number(status.id)])
    await act(alice, { type: 'none', report_id: String(id), include_statuses: false })
    await act(alice, { type: 'none', status_ids: [status.id] })
    expect(await strikesOf(alice.id)).toMatchObject([{ statusIds: null }, { statusIds: [Number(status.id)] }])
  })

  it('one of two moderators acts on a report, and the other gets a conflict', async () => {
    const alice = await given.account()
    const id = await report(alice)
    const other = await givenStaff({ permissions: ['manageUsers'] })
    const answers = await Promise.all(
      [moderator, other].map((one) =>
        as(one).post(path(alice.id, 'action'), { type: 'none', report_id: String(id) }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await strikesOf(alice.id)).toHaveLength(1)
  })

  it('refuses invalid combinations and changes nothing [T-834]', async () => {
    const alice = await given.account()
    const bob = await given.account()
    const status = await given.status({ by: bob, text: 'Mine' })
    const foreign = await report(bob)
    const remote = await given.remoteAccount()
    for (const [body, code] of [
      [{}, 422],
      [{ type: 'crush' }, 422],
      [{ type: 'none', report_id: '7' }, 404],
      [{ type: 'none', report_id: String(foreign) }, 422],
      [{ type: 'none', status_ids: [status.id] }, 422],
      [{ type: 'none', text: 'x'.repeat(10_001) }, 422],
    ] as const)
      expect((await act(alice, body)).status, JSON.stringify(body)).toBe(code)
    expect((await act(remote, { type: 'disable' })).status).toBe(422)
    expect((await act({ id: 7 }, { type: 'silence' })).status).toBe(404)
    expect((await act({ id: -99 }, { type: 'silence' })).status).toBe(404)
    expect(await strikesOf(alice.id)).toEqual([])
    expect(await isResolved(foreign)).toBe(false)
  })

  it('acts on remote accounts as well', async () => {
    const remote = await given.remoteAccount()
    for (const type of ['none', 'sensitive', 'silence', 'suspend'])
      expect((await act(remote, { type })).status, type).toBe(200)
    expect((await as(moderator).get(path(remote.id))).body).toMatchObject({
      sensitized: true,
      silenced: true,
      suspended: true,
    })
  })

  it('never locks out the last owner', async () => {
    const owner = await givenOwner()
    await db.update(users).set({ roleId: null }).where(eq(users.roleId, 3))
    await db.update(users).set({ roleId: 3 }).where(eq(users.accountId, owner.id))
    for (const type of ['disable', 'suspend'] as const)
      await expect(moderate(owner, type)).rejects.toMatchObject({ status: 409 })
    await givenOwner()
    await moderate(owner, 'suspend')
  })
})

describe('the undo commands', () => {
  it('undo commands change nothing outside their state, except for a suspension [T-830]', async () => {
    const alice = await given.account()
    for (const undo of ['enable', 'unsensitive', 'unsilence'])
      expect((await as(moderator).post(path(alice.id, undo))).status).toBe(200)
    expect(await as(moderator).post(path(alice.id, 'unsuspend'))).toMatchObject({
      status: 403,
      body: { error: `${alice.username} is not suspended` },
    })
    expect(await actsOn(alice.id)).toEqual([])
    const remote = await given.remoteAccount()
    expect((await as(moderator).post(path(remote.id, 'enable'))).status).toBe(403)
  })
})

describe('approve and reject', () => {
  const waiting = () => given.account({ user: { approved: false } })

  it('approves a pending account, with a mail and a log entry [T-826]', async () => {
    const bird = await waiting()
    const office = fakeMailer()
    const answer = await as(moderator).post(path(bird.id, 'approve'), {}, office)
    expect(answer).toMatchObject({ status: 200, body: { approved: true } })
    expect((await as(bird).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await office.deliver()).map(({ to }) => to)).toContain(bird.email)
    expect(await actsOn(bird.id)).toEqual([{ action: 'approve', username: moderator.username }])
  })

  it('counts a user after approval, and no pending one', async () => {
    const [admitted, rejected, suspended] = [await waiting(), await waiting(), await waiting()]
    const before = await countedUsers()
    await as(moderator).post(path(rejected.id, 'reject'))
    await as(moderator).post(path(suspended.id, 'action'), { type: 'suspend' })
    expect(await countedUsers()).toBe(before)
    await as(moderator).post(path(admitted.id, 'approve'))
    expect(await countedUsers()).toBe(before + 1)
    await as(moderator).post(path(suspended.id, 'unsuspend'))
    expect(await countedUsers()).toBe(before + 1)
  })

  it('deletes a rejected account [T-827]', async () => {
    const bird = await waiting()
    const answer = await as(moderator).post(path(bird.id, 'reject'))
    expect(answer).toMatchObject({ status: 200, body: { username: bird.username, approved: false } })
    expect((await as(moderator).get(path(bird.id))).status).toBe(404)
    expect(await actsOn(bird.id)).toEqual([{ action: 'reject', username: moderator.username }])
  })

  it('refuses to approve members, remote accounts and unknown ones [T-828]', async () => {
    const alice = await given.account()
    const remote = await given.remoteAccount()
    for (const what of ['approve', 'reject']) {
      expect((await as(moderator).post(path(alice.id, what))).status).toBe(403)
      expect((await as(moderator).post(path(remote.id, what))).status).toBe(403)
      expect((await as(moderator).post(path(7, what))).status).toBe(404)
    }
  })

  it('decides once when two moderators decide at the same moment', async () => {
    const bird = await waiting()
    const answers = await Promise.all(
      ['approve', 'reject'].map((what) => as(moderator).post(path(bird.id, what))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('DELETE /api/v1/admin/accounts/:id', () => {
  let remover: TestAccount
  beforeAll(async () => {
    remover = await givenStaff({ permissions: ['deleteUserData'] })
  })

  it('deletes the data of a suspended account at once, permanently [T-831]', async () => {
    const alice = await given.account({ displayName: 'Alice' })
    const before = await countedUsers()
    expect((await as(remover).delete(path(alice.id))).status).toBe(403)
    await moderate(alice, 'suspend')
    expect(await countedUsers()).toBe(before - 1)
    const answer = await as(remover).delete(path(alice.id))
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(await countedUsers()).toBe(before - 1)
    const [row] = await db.select().from(accounts).where(eq(accounts.id, alice.id))
    expect(row).toMatchObject({ displayName: '', username: alice.username })
    expect(await db.select().from(users).where(eq(users.accountId, alice.id))).toEqual([])
    expect(await db.select().from(accountDeletions).where(eq(accountDeletions.accountId, alice.id))).toEqual(
      [],
    )
    const document = await as(null).get(`/users/${alice.username}`, {
      headers: { accept: 'application/activity+json' },
    })
    expect(document.status).toBe(410)
    expect((await as(moderator).post(path(alice.id, 'unsuspend'))).status).toBe(403)
    expect((await as(remover).delete(path(alice.id))).status).toBe(403)
    expect((await actsOn(alice.id)).map(({ action }) => action)).toEqual(['suspend', 'delete'])
  })

  it('keeps a remote account suspended under its address', async () => {
    const remote = await given.remoteAccount({ displayName: 'Spam' })
    await moderate(remote, 'suspend')
    expect((await as(remover).delete(path(remote.id))).status).toBe(200)
    const [row] = await db.select().from(accounts).where(eq(accounts.id, remote.id))
    expect(row).toMatchObject({ displayName: '', uri: remote.uri })
    expect(row?.suspendedAt).not.toBeNull()
  })

  it('DELETE /api/v1/admin/accounts/:id is refused to the operator for an account that is not suspended', async () => {
    const alice = await given.account()
    await expect(deleteSuspendedAccount(context(), operator, alice.id)).rejects.toMatchObject({ status: 403 })
  })
})

async function countedUsers() {
  const [row] = await db.select().from(counters).where(eq(counters.name, 'users'))
  return row?.value ?? 0
}
