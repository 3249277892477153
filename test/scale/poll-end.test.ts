import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openDb } from '../../src/db/query'
import { closePolls } from '../../src/domain/polls/close'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given } from '../support/given'
import { asInvocation } from '../support/invocations'
import { jobsOf } from '../support/job-list'
import { memberMasses, remoteMasses } from '../support/masses'
import { clock, context, settleLateWork } from '../support/test-app'

const Posted = z.object({ id: z.string(), poll: z.object({ id: z.string() }) })

/** A poll that has ended, in which so many members voted twice each, and as many accounts elsewhere once. */
async function endedPoll(count: number) {
  const author = await given.account()
  const poll = { options: ['one', 'two'], multiple: true, expires_in: 300 }
  const posted = Posted.parse((await as(author).post('/api/v1/statuses', { status: 'Which?', poll })).body)
  await settleLateWork()
  const [here, { from: elsewhere }] = [await memberMasses(count), await remoteMasses({ count, inboxes: 10 })]
  const vote = (from: number, choice: number) =>
    env.DB.prepare(`insert into poll_votes (poll_id, account_id, choice)
      select ?, id, ${choice} from accounts where id >= ${from} and id < ${from} + ${count}`).bind(
      Number(posted.poll.id),
    )
  await env.DB.batch([vote(here, 0), vote(here, 1), vote(elsewhere, 0)])
  clock.advance(301_000)
  const batches: number[] = []
  const counted = countingDb(env.DB, (statements) =>
    batches.push(statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)),
  )
  const { jobs, runAll } = jobsOf('notify-voters')
  const couriers = { enqueue: async () => undefined, wake: async () => undefined }
  const ctx = context({ db: openDb(counted.db), jobs, couriers })
  return {
    batches,
    close: () => asInvocation('cron', () => closePolls(ctx)),
    runAll: (times?: number) => runAll(ctx, times),
    rowsRead: () => counted.read().rowsRead,
    notified: () =>
      env.DB.prepare(`select count(*) as number, count(distinct account_id) as accounts from notifications
        where type = 'poll' and from_account_id = ?`)
        .bind(author.id)
        .first<Record<'number' | 'accounts', number>>(),
  }
}

describe('a poll with very many voters', () => {
  it('ends by notifying each local voter once, in parts that can run twice', async () => {
    const place = await endedPoll(2_500)
    await place.close()
    expect(Math.max(...place.batches)).toBeLessThanOrEqual(4_000)
    await place.close()
    expect(await place.runAll(2)).toBeGreaterThanOrEqual(20)
    // The author as well.
    expect(await place.notified()).toEqual({ number: 2_501, accounts: 2_501 })
    expect(Math.max(...place.batches)).toBeLessThanOrEqual(4_000)
    expect(place.rowsRead()).toBeLessThanOrEqual(2 * 2_500 * 22 + 10_000)
  })
})
