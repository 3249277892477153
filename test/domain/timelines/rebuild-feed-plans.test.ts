import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { tagFollows } from '../../../src/db/schema'
import { addMembers, removeMembers } from '../../../src/domain/lists/edit'
import { followTag, unfollowTag } from '../../../src/domain/tags/follow'
import {
  backfillFeeds,
  backfillHomeByTag,
  rebuildListFeed,
  removeDomainFromFeeds,
  removeFromFeeds,
  removeTagFromHome,
} from '../../../src/domain/timelines/backfill'
import { trimHomes, trimLists } from '../../../src/domain/timelines/trim'
import { given } from '../../support/given'
import { storedList } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { viewerOf } from '../../support/given-status'
import { recordingDb, scannedTables } from '../../support/recording-db'
import { context } from '../../support/test-app'

/** Rows picked before, and lists sent along. */
const picked = new Set(['asked', 'fresh', 'joined', 'late', 'owner'])

it('no statement that fills or clears feeds scans a table', async () => {
  const [owner, member] = [await given.account(), await given.account()]
  await relation.follow(owner, member)
  const list = await storedList({ of: owner, exclusive: true })
  const { db, asked } = recordingDb()
  const ctx = context({ db })
  const viewer = await viewerOf(owner)
  await addMembers(ctx, viewer, { id: list, accounts: [member.id] })
  await removeMembers(ctx, viewer, { id: list, accounts: [member.id] })
  await followTag(ctx, viewer, 'wren')
  await unfollowTag(ctx, viewer, 'wren')
  await rebuildListFeed(ctx, { ownerId: owner.id, listId: list, joinedIds: [member.id], concernsHome: true })
  await backfillFeeds(ctx, owner.id, member.id)
  await removeFromFeeds(ctx, owner.id, member.id)
  await removeDomainFromFeeds(ctx, owner.id, 'elsewhere.test')
  await followTag(ctx, viewer, 'wren')
  await backfillHomeByTag(ctx, owner.id, await followOf(owner.id))
  await removeTagFromHome(ctx, owner.id, 1)
  await trimHomes(ctx)
  await trimLists(ctx)
  const scans: string[] = []
  for (const one of asked)
    for (const table of await scannedTables(one))
      if (!picked.has(table)) scans.push(`${table}: ${one.text.slice(0, 600)}`)
  expect(asked.length).toBeGreaterThan(25)
  expect(scans).toEqual([])
})

async function followOf(account: number): Promise<number> {
  const { db } = context()
  const [row] = await db
    .select({ id: tagFollows.id })
    .from(tagFollows)
    .where(eq(tagFollows.accountId, account))
  return row?.id ?? 0
}
