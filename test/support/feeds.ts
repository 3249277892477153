import { eq } from 'drizzle-orm'
import { homeEntries, listEntries } from '../../src/db/schema'
import type { TestAccount } from './given'
import { context } from './test-app'

/** Ids of the statuses in the home feed, oldest first. */
export async function homeFeedOf({ id }: TestAccount): Promise<number[]> {
  const entries = await context().db.select().from(homeEntries).where(eq(homeEntries.accountId, id))
  return entries.map(({ statusId }) => statusId)
}

/** Ids of the statuses in the feed of a list, oldest first. */
export async function listFeedOf(list: number): Promise<number[]> {
  const entries = await context().db.select().from(listEntries).where(eq(listEntries.listId, list))
  return entries.map(({ statusId }) => statusId)
}
