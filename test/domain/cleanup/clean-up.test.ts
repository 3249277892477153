import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute, first, oneRow } from '../../../src/db/query'
import { accounts, cleanupPolicies, mediaAttachments, outbox } from '../../../src/db/schema'
import { deleteOwnAccount } from '../../../src/domain/accounts/delete-own'
import { cleanUpStatuses } from '../../../src/domain/cleanup/clean-up'
import {
  type CleanupPolicy,
  cleanupAges,
  defaultCleanup,
  saveCleanup,
} from '../../../src/domain/cleanup/cleanup-policy'
import { cleanupPolicyOf, hasDueCleanups } from '../../../src/domain/cleanup/find-cleanup'
import { as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { runCourierAlarms } from '../../support/courier'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedUpload } from '../../support/given-upload'
import { clock, context, settleLateWork } from '../../support/test-app'

const day = 86_400_000
const week = 7 * day
const none: CleanupPolicy = {
  enabled: true,
  minAgeSeconds: week / 1000,
  keepDirect: false,
  keepPinned: false,
  keepPolls: false,
  keepMedia: false,
  keepOwnFavourites: false,
  keepOwnBookmarks: false,
  minFavourites: null,
  minReblogs: null,
}

const want = (who: TestAccount, policy: Partial<CleanupPolicy> = {}) =>
  saveCleanup(context(), who.id, { ...none, ...policy })

const minute = 60_000

/** Runs until no policy is due, now or a minute later. */
async function cleanUp(): Promise<void> {
  for (let idle = 0; idle < 2; ) {
    if (await isDue()) {
      idle = 0
      await cleanUpStatuses(context())
    } else {
      idle += 1
      clock.advance(minute)
    }
  }
  await settleLateWork()
}

async function isDue(): Promise<boolean> {
  const { db } = context()
  const condition = sql<number>`(${hasDueCleanups(context())})`.as('is_due')
  const found = await execute(db, first(db.select({ isDue: condition }).from(oneRow)))
  return found?.isDue === 1
}

const statusesOf = async (who: TestAccount) =>
  idsOf(await as(who).get(`/api/v1/accounts/${who.id}/statuses?limit=40`))
const policyOf = ({ id }: TestAccount) => execute(context().db, cleanupPolicyOf(context(), id))

describe('cleaning up old posts', () => {
  it('deletes posts older than the chosen age only', async () => {
    const alice = await given.account()
    await given.status({ by: alice })
    clock.advance(week)
    const young = await given.status({ by: alice })
    await want(alice)
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([young.id])
  })

  it('deletes at every tick, also less than a minute after the previous one', async () => {
    const alice = await given.account()
    for (let made = 0; made < 11; made += 1) await given.status({ by: alice })
    clock.advance(week + day)
    // Policies of other accounts rest for a day.
    await cleanUp()
    await want(alice)
    const started = clock.now().getTime()
    const late = [0, -40, 2_500, 1_100, -900]
    for (const [tick, milliseconds] of late.entries()) {
      clock.set(new Date(started + tick * minute + milliseconds))
      expect(await isDue()).toBe(true)
      await cleanUpStatuses(context())
      expect(await isDue()).toBe(false)
    }
    await settleLateWork()
    expect(await statusesOf(alice)).toHaveLength(1)
  })

  it('deletes by the ordinary command: servers are notified and files are deleted', async () => {
    const alice = await given.account()
    const peer = await given.peer()
    await relation.follow(peer, alice)
    const upload = await storedUpload(alice)
    await context().files.put(`attachments/${upload}/original.png`, new Uint8Array([1]), 'image/png')
    const { id } = await given.status({ by: alice, mediaIds: [Number(upload)] })
    await settleLateWork()
    await runCourierAlarms()
    clock.advance(week + day)
    await want(alice)
    await cleanUp()
    await runCourierAlarms()
    const deletions = peer.received().filter(({ type }) => type === 'Delete')
    expect(JSON.stringify(deletions)).toContain(id)
    expect(await context().files.head(`attachments/${upload}/original.png`)).toBeNull()
    const { db } = context()
    expect(
      await db
        .select()
        .from(mediaAttachments)
        .where(eq(mediaAttachments.id, Number(upload))),
    ).toEqual([])
  })

  it('deletes old reblogs as well, and never the reblogged statuses', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: bob })
    await as(alice).post(`/api/v1/statuses/${id}/reblog`)
    clock.advance(week + day)
    await want(alice, { keepMedia: true, keepPolls: true, minFavourites: 1 })
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([])
    expect((await as(bob).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ reblogs_count: 0 })
  })

  const poll = { options: ['a', 'b'], expiresInSeconds: 600, multiple: false, hideTotals: false }
  const exceptions: readonly [
    keyof CleanupPolicy,
    Partial<CleanupPolicy>,
    (by: TestAccount) => Promise<{ readonly id: string }>,
  ][] = [
    ['keepDirect', { keepDirect: true }, (by) => given.status({ by, visibility: 'direct' })],
    ['keepPinned', { keepPinned: true }, (by) => marked(by, by, 'pin')],
    ['keepPolls', { keepPolls: true }, (by) => given.status({ by, poll })],
    [
      'keepMedia',
      { keepMedia: true },
      async (by) => given.status({ by, mediaIds: [Number(await storedUpload(by))] }),
    ],
    ['keepOwnFavourites', { keepOwnFavourites: true }, (by) => marked(by, by, 'favourite')],
    ['keepOwnBookmarks', { keepOwnBookmarks: true }, (by) => marked(by, by, 'bookmark')],
    ['minFavourites', { minFavourites: 1 }, async (by) => marked(by, await given.account(), 'favourite')],
    ['minReblogs', { minReblogs: 1 }, async (by) => marked(by, await given.account(), 'reblog')],
  ]

  it.each(exceptions)('keeps only matching posts by %s', async (_, policy, make) => {
    const alice = await given.account()
    const plain = await given.status({ by: alice })
    const special = await make(alice)
    clock.advance(week + day)
    await want(alice, policy)
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([special.id])
    expect((await as(alice).get(`/api/v1/statuses/${plain.id}`)).status).toBe(404)
    await want(alice)
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([])
  })

  it.each(['minFavourites', 'minReblogs'] as const)('deletes posts with fewer than %s', async (name) => {
    const alice = await given.account()
    await marked(alice, await given.account(), name === 'minReblogs' ? 'reblog' : 'favourite')
    clock.advance(week + day)
    await want(alice, { [name]: 2 })
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([])
  })

  it('does not count other accounts’ interactions as the owner’s', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const kind of ['favourite', 'bookmark'] as const) await marked(alice, bob, kind)
    clock.advance(week + day)
    await want(alice, { keepOwnFavourites: true, keepOwnBookmarks: true })
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([])
  })

  it('deletes nothing unless the owner switched it on', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const by of [alice, bob]) await given.status({ by })
    clock.advance(3 * 365 * day)
    await want(alice, { enabled: false })
    await cleanUp()
    expect([...(await statusesOf(alice)), ...(await statusesOf(bob))]).toHaveLength(2)
  })

  it('deletes two posts a minute, continues where it stopped, and starts again a day after the end', async () => {
    const alice = await given.account()
    const pinned = await marked(alice, alice, 'pin')
    for (let count = 0; count < 12; count += 1) await given.status({ by: alice })
    clock.advance(week + day)
    await cleanUp()
    await want(alice, { keepPinned: true })
    await cleanUpStatuses(context())
    expect(await statusesOf(alice)).toHaveLength(11)
    expect(await isDue()).toBe(false)
    for (const left of [9, 7, 5, 3, 1]) {
      clock.advance(minute)
      await cleanUpStatuses(context())
      expect(await statusesOf(alice)).toHaveLength(left)
    }
    clock.advance(minute)
    await cleanUpStatuses(context())
    expect(await statusesOf(alice)).toEqual([pinned.id])
    expect(await policyOf(alice)).toMatchObject({ place: 0, dueAt: new Date(clock.now().getTime() + day) })
    await as(alice).post(`/api/v1/statuses/${pinned.id}/unpin`)
    await cleanUp()
    expect(await statusesOf(alice)).toHaveLength(1)
    clock.advance(day)
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([])
  })

  it('two runs at once delete each post once', async () => {
    const alice = await given.account()
    const kept = await given.status({ by: alice, visibility: 'direct' })
    for (let count = 0; count < 3; count += 1) await given.status({ by: alice })
    clock.advance(week + day)
    await cleanUp()
    await want(alice, { keepDirect: true })
    await Promise.all([cleanUpStatuses(context()), cleanUpStatuses(context())])
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([kept.id])
    expect((await as(alice).get(`/api/v1/accounts/${alice.id}`)).body).toMatchObject({ statuses_count: 0 })
  })

  it('waits while many deliveries are queued', async () => {
    const alice = await given.account()
    await given.status({ by: alice })
    clock.advance(week + day)
    await want(alice)
    const { db, ids } = context()
    const event = { kind: 'account.updated', accountId: alice.id } as const
    const rows = Array.from({ length: 100 }, () => ({ id: ids.next(), event, notBefore: clock.now() }))
    for (const row of rows) await db.insert(outbox).values(row)
    await cleanUp()
    expect(await statusesOf(alice)).toHaveLength(1)
    await db.delete(outbox)
    await cleanUp()
    expect(await statusesOf(alice)).toEqual([])
  })

  it('keeps the posts of suspended accounts', async () => {
    const alice = await given.account()
    const { id } = await given.status({ by: alice })
    clock.advance(week + day)
    await want(alice)
    const { db } = context()
    const isAlice = eq(accounts.id, alice.id)
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(isAlice)
    await cleanUp()
    await db.update(accounts).set({ suspendedAt: null }).where(isAlice)
    expect(await statusesOf(alice)).toEqual([id])
  })

  it('stops when the account is deleted', async () => {
    const alice = await given.account()
    await want(alice)
    await deleteOwnAccount(context(), alice.id)
    const { db } = context()
    expect(await db.select().from(cleanupPolicies).where(eq(cleanupPolicies.accountId, alice.id))).toEqual([])
  })
})

describe('settings of the clean-up', () => {
  it('offers ages from one week to two years, starting with two weeks and no deletion', () => {
    expect(cleanupAges).toEqual([
      604_800, 1_209_600, 2_629_746, 5_259_492, 7_889_238, 15_778_476, 31_556_952, 63_113_904,
    ])
    expect(defaultCleanup).toMatchObject({ enabled: false, minAgeSeconds: 1_209_600 })
  })
})

/** A status of `by` that `whose` marked. */
async function marked(
  by: TestAccount,
  whose: TestAccount,
  kind: 'bookmark' | 'favourite' | 'pin' | 'reblog',
) {
  const made = await given.status({ by })
  const { status } = await as(whose).post(`/api/v1/statuses/${made.id}/${kind}`)
  if (status !== 200) throw new Error(`${kind} answered ${status}`)
  return made
}
