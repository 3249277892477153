import { count, eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { reports, statusEdits, statuses } from '../../src/db/schema'
import { fediverse } from '../support/fediverse'
import { handOver } from '../support/fediverse/handing'
import { given } from '../support/given'
import { clock, context } from '../support/world'

/** Rows that a remote actor or server can add by repeating itself: each kind is bounded. */

const times = (length: number) => Array.from({ length }, (_, index) => index)
const { db } = context()

describe('a remote account has stored at most', () => {
  it('a hundred earlier versions of a post', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const note = peer.note({ mentions: [fediverse.local(alice)] })
    await handOver(peer, peer.create(note))
    for (const index of times(105)) {
      clock.advance(1_000)
      const updated = clock.now().toISOString()
      await handOver(peer, peer.update({ ...note, content: `<p>${index}</p>`, updated }))
    }
    const [status] = await db.select().from(statuses).where(eq(statuses.uri, note.id))
    const kept = await db
      .select({ count: count() })
      .from(statusEdits)
      .where(eq(statusEdits.statusId, status?.id ?? 0))
    expect([kept[0]?.count, status?.content]).toEqual([100, '<p>104</p>'])
  })
})

describe('a server has reports stored', () => {
  it('of a hundred accounts a day, whichever actors sign them', async () => {
    const [alice, one, other] = [
      await given.account(),
      await given.peer({ host: 'a.angry.test' }),
      await given.peer({ host: 'b.angry.test' }),
    ]
    await context().throttle.spend('remoteReports', 'angry.test', 98)
    const { uri } = fediverse.local(alice)
    const outcomes = []
    for (const peer of [one, other, other, one]) outcomes.push(await handOver(peer, peer.flag([uri], 'rude')))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'rejected', 'rejected'])
    const kept = await db
      .select()
      .from(reports)
      .where(inArray(reports.accountId, [one.id, other.id]))
    expect(kept).toHaveLength(2)
  })
})
