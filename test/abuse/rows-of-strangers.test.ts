import { inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { reports } from '../../src/db/schema'
import { fediverse } from '../support/fediverse'
import { handOver } from '../support/fediverse/handing'
import { given } from '../support/given'
import { context } from '../support/world'

/** Rows that a remote actor or server can add by repeating itself: each kind is bounded. */

const { db } = context()

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
