import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  accountDomainBlocks,
  blocks,
  bookmarks,
  favourites,
  follows,
  mutes,
  polls,
  pollVotes,
  statuses,
  statusMentions,
} from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { idsOf } from '../support/body-ids'
import { expectCosts } from '../support/expect-costs'
import { freshName, given, type TestAccount } from '../support/given'
import { storedPicture, storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

const tag = freshName('neighbourhood')
const queries = [
  'home',
  'public',
  'public?local=true',
  'public?remote=true',
  `tag/${tag}`,
  `tag/${tag}?none[]=x`,
]

/** A believable neighbourhood: 16 authors of two servers, of whom the reader follows half and hides four. */
async function neighbourhood(): Promise<TestAccount> {
  const reader = await given.account()
  const { db, ids } = context()
  const near: { readonly id: number }[] = []
  const far: { readonly id: number }[] = []
  for (let index = 0; index < 8; index += 1) {
    near.push(await given.account(index === 7 ? { silencedAt: clock.now() } : {}))
    far.push(await given.remoteAccount({ domain: index === 7 ? 'barred.test' : 'far.test' }))
  }
  const pair = (target: { readonly id: number }) => ({
    id: ids.next(),
    accountId: reader.id,
    targetAccountId: target.id,
    createdAt: clock.now(),
  })
  await db.insert(follows).values([...near.slice(0, 4), ...far.slice(0, 4)].map(pair))
  await db.insert(blocks).values([...near.slice(5, 6)].map(pair))
  await db.insert(mutes).values([...far.slice(5, 6)].map(pair))
  await db.insert(accountDomainBlocks).values({ accountId: reader.id, domain: 'barred.test', id: 1 })
  const app = await given.application()
  for (let index = 0; index < 160; index += 1) {
    const local = index % 2 === 0
    const author = (local ? near : far)[Math.floor(index / 2) % 8] ?? reader
    const inHomeOf = [reader.id]
    const status = await storedStatus({
      accountId: author.id,
      local,
      tags: [tag, freshName('tag')],
      inHomeOf,
      ...(local ? { applicationId: app.id } : {}),
      ...(index % 4 === 0 ? { attachments: [storedPicture] } : {}),
    })
    if (index % 5 === 0) await storedStatus({ accountId: near[0]?.id ?? 0, reblogOfId: status, inHomeOf })
    await react(reader, status, index)
  }
  return reader
}

async function react(reader: TestAccount, statusId: number, index: number): Promise<void> {
  const { db, ids } = context()
  const mark = { id: ids.next(), accountId: reader.id, statusId }
  if (index % 3 === 0) await db.insert(favourites).values(mark)
  if (index % 7 === 0) await db.insert(bookmarks).values(mark)
  if (index % 6 === 0) await db.insert(statusMentions).values({ statusId, accountId: reader.id })
  if (index % 10 !== 0) return
  const pollId = ids.next()
  await db.batch([
    db.insert(polls).values({
      id: pollId,
      accountId: reader.id,
      statusId,
      options: ['a', 'b'],
      tallies: [1, 0],
      expiresAt: new Date(clock.now().getTime() + 86_400_000),
    }),
    db.insert(pollVotes).values({ pollId, accountId: reader.id, choice: 0 }),
    db.update(statuses).set({ pollId }).where(sql`id = ${statusId}`),
  ])
}

describe('a page of 20 in realistic data', () => {
  let reader: TestAccount
  beforeAll(async () => {
    reader = await neighbourhood()
  })

  for (const query of queries)
    it(`${query} is full and stays within its budget with a token`, async () => {
      const answer = await as(reader).get(`/api/v1/timelines/${query}`)
      expect(idsOf(answer)).toHaveLength(20)
      expect(answer.costs.trips).toBeLessThanOrEqual(1)
      expect(answer.costs.statements).toBeLessThanOrEqual(24)
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
      expect(answer.costs.rowsWritten).toBe(0)
    })

  // The second statement tells whether strangers may read such timelines at all.
  for (const query of queries.slice(1))
    it(`${query} costs anonymous visitors less`, async () => {
      const answer = await anonymous.get(`/api/v1/timelines/${query}`)
      expect(idsOf(answer)).toHaveLength(20)
      expectCosts(answer.costs, { trips: 1, statements: 2, rowsWritten: 0 })
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(300)
    })
})
