import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { listEntries, statuses } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import { backfillFeeds } from '../../../src/domain/timelines/backfill'
import { fanOut } from '../../../src/domain/timelines/fan-out'
import { as } from '../../support/as'
import { homeFeedOf, listFeedOf } from '../../support/feeds'
import { given, type TestAccount } from '../../support/given'
import { storedListOfFollowed } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { context } from '../../support/test-app'

/** A reader with a list of two sharers whom they follow, and a stranger who wrote what is shared. */
async function people() {
  const [reader, first, second, stranger] = [
    await given.account(),
    await given.account(),
    await given.account(),
    await given.account(),
  ]
  const list = await storedListOfFollowed({ of: reader, members: [first, second] })
  return { reader, first, second, stranger, list }
}

async function share(by: TestAccount, reblogOfId: number): Promise<number> {
  const id = await storedStatus({ accountId: by.id, reblogOfId })
  const status = { id, visibility: 'public', local: true, reblogOfId } as const
  await commit(context(), new Changes().add(...fanOut(context(), status)))
  return id
}

/** So many other statuses in the home and the list. */
async function bury({ reader, first, list }: Awaited<ReturnType<typeof people>>, count: number) {
  const { db } = context()
  for (let index = 0; index < count; index += 1) {
    const statusId = await storedStatus({ accountId: first.id, inHomeOf: [reader.id] })
    await db.insert(listEntries).values({ listId: list, statusId })
  }
}

describe('reblogs of one status', () => {
  it('reblogs enter a home and a list once, while the first is among the latest 40', async () => {
    const all = await people()
    const original = await storedStatus({ accountId: all.stranger.id })
    const shown = await share(all.first, original)
    await bury(all, 39)
    await share(all.second, original)
    expect(await homeFeedOf(all.reader)).toHaveLength(40)
    expect(await listFeedOf(all.list)).toHaveLength(40)
    expect(await homeFeedOf(all.reader)).toContain(shown)
    await bury(all, 1)
    const again = await share(all.second, await storedStatus({ accountId: all.stranger.id }))
    expect(await homeFeedOf(all.reader)).toContain(again)
  })

  it('finds reblogs of a status among very many, with the latest in order', async () => {
    const all = await people()
    const original = await storedStatus({ accountId: all.stranger.id })
    const { db } = context()
    const count = async (number: number) =>
      db.update(statuses).set({ reblogsCount: number }).where(eq(statuses.id, original))
    // Ids of long ago, which no other row has.
    await db.run(sql`insert into accounts (id, username, domain, uri, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
      select 7000000 + i, 'many' || i, 'many.test', 'https://many.test/' || i, 0, 0 from n`)
    await db.run(sql`insert into statuses (id, account_id, uri, local, visibility, conversation_id, created_at,
        reblog_of_id)
      select id, id, uri || '/reblog', 0, 'public', id, 1, ${original} from accounts where domain = 'many.test'`)
    const flags = async () => {
      const by = eq(statuses.accountId, all.first.id)
      return db
        .select({ many: statuses.reblogOfMany })
        .from(statuses)
        .where(and(by, eq(statuses.reblogOfId, original)))
    }
    await count(99)
    await as(all.first).post(`/api/v1/statuses/${original}/reblog`)
    expect(await flags()).toEqual([{ many: false }])
    await as(all.first).post(`/api/v1/statuses/${original}/unreblog`)
    await count(300)
    await as(all.first).post(`/api/v1/statuses/${original}/reblog`)
    expect(await flags()).toEqual([{ many: true }])
    const shown = await homeFeedOf(all.reader)
    const second = await as(all.second).post(`/api/v1/statuses/${original}/reblog`)
    expect(await homeFeedOf(all.reader)).toEqual(shown)
    expect(await listFeedOf(all.list)).toEqual(shown)
    expect(second.costs.rowsRead).toBeLessThanOrEqual(250)
  })

  it('reblogs enter again once the first is further back', async () => {
    const all = await people()
    const original = await storedStatus({ accountId: all.stranger.id })
    await share(all.first, original)
    await bury(all, 40)
    const again = await share(all.second, original)
    expect(await homeFeedOf(all.reader)).toContain(again)
    expect(await listFeedOf(all.list)).toContain(again)
  })

  it('reblogs do not enter where the status itself was recently shown, the own home included', async () => {
    const all = await people()
    const { reader, first, second } = all
    const original = await storedStatus({ accountId: first.id, inHomeOf: [reader.id, second.id] })
    await share(second, original)
    expect(await homeFeedOf(reader)).toEqual([original])
    expect(await homeFeedOf(second)).toEqual([original])
    expect(await listFeedOf(all.list)).toHaveLength(1)
  })

  it('distinguishes reblogs by the reblogged status', async () => {
    const all = await people()
    const [one, other] = [
      await storedStatus({ accountId: all.stranger.id }),
      await storedStatus({ accountId: all.stranger.id }),
    ]
    const shares = [await share(all.first, one), await share(all.second, other)]
    expect(await homeFeedOf(all.reader)).toEqual(shares)
  })

  it('a reblog enters again when the shown one was undone', async () => {
    const all = await people()
    const original = await storedStatus({ accountId: all.stranger.id })
    const gone = await share(all.first, original)
    await context().db.delete(statuses).where(eq(statuses.id, gone))
    const again = await share(all.second, original)
    expect(await homeFeedOf(all.reader)).toContain(again)
  })

  it('the oldest other reblog replaces the shown one when it is undone', async () => {
    const all = await people()
    const { reader, first, second, list } = all
    const third = await given.account()
    await relation.follow(reader, third)
    const original = await storedStatus({ accountId: all.stranger.id })
    const shown = await share(first, original)
    const [next, last] = [await share(second, original), await share(third, original)]
    expect(await homeFeedOf(reader)).toEqual([shown])
    await as(first).post(`/api/v1/statuses/${original}/unreblog`)
    expect(await homeFeedOf(reader)).toEqual([shown, next])
    expect(await listFeedOf(list)).toEqual([shown, next])
    await as(second).post(`/api/v1/statuses/${original}/unreblog`)
    expect(await homeFeedOf(reader)).toEqual([shown, next, last])
    expect(await homeFeedOf(all.stranger)).toEqual([])
  })

  it('a new follow inserts reblogs and the status itself once, the newest of them', async () => {
    const all = await people()
    const { reader, first } = all
    const own = await storedStatus({ accountId: first.id })
    const shared = await storedStatus({ accountId: first.id, reblogOfId: own })
    const seen = await storedStatus({ accountId: all.stranger.id, inHomeOf: [reader.id] })
    await storedStatus({ accountId: first.id, reblogOfId: seen })
    await backfillFeeds(context(), reader.id, first.id)
    expect((await homeFeedOf(reader)).toSorted()).toEqual([shared, seen].toSorted())
  })
})
