import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { blockDomain, unblockDomain } from '../../../src/domain/relationships/domain-block'
import type { Job } from '../../../src/messages/jobs'
import type { OutboxMessage } from '../../../src/messages/stored'
import type { Ctx } from '../../../src/ports/ctx'
import { countingDb } from '../../support/costs'
import { given } from '../../support/given'
import { followedByMasses, remoteMasses } from '../../support/masses'
import { runJob } from '../../support/run-job'
import { context } from '../../support/test-app'

/** A member with `count` followers at one server, and what happens when they block it. */
async function place(count: number) {
  const alice = await given.account()
  const masses = await remoteMasses({ count, inboxes: 1 })
  await followedByMasses(alice, masses)
  await env.DB.prepare('update accounts set followers_count = ? where id = ?').bind(count, alice.id).run()
  const counted = countingDb(env.DB)
  const messages: OutboxMessage[] = []
  const ctx: Ctx = {
    ...context({ db: openDb(counted.db) }),
    outbox: { drain: (entries) => void messages.push(...entries.map(({ event }) => event)) },
  }
  const jobs: Job[] = []
  const next = () => messages.findLast(({ kind }) => kind === 'continue-domain-block') as Job | undefined
  return {
    alice,
    ctx,
    messages,
    domain: `h0.${masses.domain}`,
    costs: counted.read,
    next,
    /** Runs the jobs of all parts. */
    async work() {
      for (let job = next(); job !== undefined && job !== jobs.at(-1); job = next()) {
        jobs.push(job)
        await runJob(ctx, job)
      }
    },
    followers: () =>
      env.DB.prepare(
        'select followers_count as counted, (select count(*) from follows where target_account_id = a.id) n from accounts a where id = ?',
      )
        .bind(alice.id)
        .first(),
    severed: () =>
      env.DB.prepare(
        `select s.followers_count as followers, (select count(*) from notifications where account_id = s.account_id
          and type = 'severed_relationships') as notices from account_severances s where s.account_id = ?`,
      )
        .bind(alice.id)
        .all()
        .then(({ results }) => results),
    ended: () =>
      messages.flatMap((message) => (message.kind === 'domain.blocked' ? message.followers : [])).length,
  }
}

describe('blocking a server with very many followers of a member', () => {
  it('removes followers in parts at 32 rows each: ten times as many cost ten times as much', async () => {
    const total = async (count: number) => {
      const there = await place(count)
      await blockDomain(there.ctx, there.alice, there.domain)
      const request = there.costs().rowsRead
      await there.work()
      expect(await there.followers()).toEqual({ counted: 0, n: 0 })
      expect(await there.severed()).toEqual([{ followers: count, notices: 1 }])
      expect(there.ended()).toBe(count)
      for (const message of there.messages) expect(JSON.stringify(message).length).toBeLessThan(64 * 1024)
      return { request, all: there.costs().rowsRead }
    }
    const [few, many] = [await total(400), await total(4_000)]
    expect(many.all).toBeLessThanOrEqual(11 * few.all)
    expect(many.all).toBeLessThanOrEqual(32 * 4_000)
    expect(many.request).toBeLessThanOrEqual(few.request + 10)
  })

  it('removes each follower once where a part runs twice, and all where the first was interrupted', async () => {
    const there = await place(700)
    await blockDomain(there.ctx, there.alice, there.domain)
    const second = there.next()
    if (second === undefined) throw new Error('no further part')
    await runJob(there.ctx, second)
    await runJob(there.ctx, second)
    await there.work()
    expect(await there.followers()).toEqual({ counted: 0, n: 0 })
    expect(await there.severed()).toEqual([{ followers: 700, notices: 1 }])
    expect(there.ended()).toBe(700)
  })

  it('keeps the remaining followers where the block is removed in between', async () => {
    const there = await place(700)
    await blockDomain(there.ctx, there.alice, there.domain)
    await unblockDomain(there.ctx, there.alice, there.domain)
    await there.work()
    expect(await there.followers()).toEqual({ counted: 500, n: 500 })
  })
})
