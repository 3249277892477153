import { eq, sql } from 'drizzle-orm'
import {
  accounts,
  blocks,
  followRequests,
  follows,
  mutes,
  severanceEvents,
  severedFollows,
} from '../../src/db/schema'
import { fediverse } from './fediverse'
import { given } from './given'
import { followed } from './given-remote'
import { clock, context } from './test-app'

interface Named {
  readonly id: number
}

type FollowOptions = Partial<Omit<typeof follows.$inferInsert, 'id'>>
type MuteOptions = Partial<Omit<typeof mutes.$inferInsert, 'id'>>

const pair = (from: Named, to: Named) => {
  const ctx = context()
  return { id: ctx.ids.next(), accountId: from.id, targetAccountId: to.id, createdAt: clock.now() }
}

/** `from` follows `to`, with both counters, and without notification or backfill. */
async function follow(from: Named, to: Named, options: FollowOptions = {}): Promise<number> {
  const { db } = context()
  const row = { ...pair(from, to), ...options }
  await db.batch([
    db.insert(follows).values(row),
    db.update(accounts).set({ followersCount: sql`followers_count + 1` }).where(sql`id = ${to.id}`),
    db.update(accounts).set({ followingCount: sql`following_count + 1` }).where(sql`id = ${from.id}`),
  ])
  return row.id
}

async function followRequest(from: Named, to: Named, options: FollowOptions = {}): Promise<number> {
  const row = { ...pair(from, to), ...options }
  await context().db.insert(followRequests).values(row)
  return row.id
}

async function block(from: Named, to: Named): Promise<number> {
  const row = pair(from, to)
  await context().db.insert(blocks).values(row)
  return row.id
}

async function mute(from: Named, to: Named, options: MuteOptions = {}): Promise<number> {
  const row = { ...pair(from, to), ...options }
  await context().db.insert(mutes).values(row)
  return row.id
}

/** Stores relationships that exist before a test begins. */
export const relation = { follow, followRequest, block, mute }

/** The follows somebody lost to decisions about servers, by the id of the other side. */
export function followsLostBy({ id }: Named) {
  const { eventId, accountId, otherAccountId, followed } = severedFollows
  return context()
    .db.select({ type: severanceEvents.type, other: otherAccountId, followed })
    .from(severedFollows)
    .innerJoin(severanceEvents, eq(severanceEvents.id, eventId))
    .where(eq(accountId, id))
    .orderBy(otherAccountId, followed)
}

/** A member, an actor elsewhere, and the member as that actor names them. */
export async function memberAndPeer() {
  const [alice, peer] = [await given.account(), await given.peer()]
  return { alice, peer, target: fediverse.local(alice) }
}

/** A member, and an actor elsewhere whom they follow. */
export async function readerAndPeer() {
  const [reader, peer] = [await given.account(), await given.peer()]
  await followed(reader, peer)
  return { reader, peer }
}
