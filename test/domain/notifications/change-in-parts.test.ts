import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { clearNotifications, dismissGroup } from '../../../src/domain/notifications/change-in-parts'
import { bucketAt } from '../../../src/domain/notifications/groups'
import { acceptRequests, dismissRequests } from '../../../src/domain/notifications/requests'
import { runJob } from '../../../src/jobs/run-job'
import type { Job } from '../../../src/messages/jobs'
import { countingDb } from '../../support/costs'
import { given } from '../../support/given'
import { viewerOf } from '../../support/given-status'
import { numbers } from '../../support/masses'
import { clock, context, settleLateWork } from '../../support/test-app'

const many = 1_500

/** An account with very many notifications of one group by one sender, and what it then does with them. */
async function place(filtered: 0 | 1) {
  const [owner, sender] = [await given.account(), await given.remoteAccount()]
  const jobs: Job[] = []
  const counted = countingDb(env.DB)
  const ctx = context({ db: openDb(counted.db), jobs: { send: async (job) => void jobs.push(job) } })
  const key = `favourite-${sender.id}-${bucketAt(clock.now())}`
  const write = (from: number, count: number) =>
    env.DB.prepare(`insert into notifications (id, account_id, type, from_account_id, filtered, group_key, subject_id, created_at)
      select ${from} + n.i, ${owner.id}, 'favourite', ${sender.id}, ${filtered}, '${key}', ${from} + n.i, 0 from ${numbers(count)}`).run()
  const first = ctx.ids.next()
  await write(first, many)
  for (let taken = 0; taken < many; taken += 1) ctx.ids.next()
  const left = () =>
    env.DB.prepare('select count(*) n, sum(filtered) f from notifications where account_id = ?')
      .bind(owner.id)
      .first<{ n: number; f: number | null }>()
  return { owner, viewer: await viewerOf(owner), sender, jobs, ctx, key, first, write, left, counted }
}

type Place = Awaited<ReturnType<typeof place>>

it.each<readonly [string, 0 | 1, (there: Place) => Promise<void>, { n: number; f: number | null }]>([
  ['clears all', 0, ({ ctx, viewer }) => clearNotifications(ctx, viewer), { n: 1, f: 0 }],
  ['clears filtered ones', 1, ({ ctx, viewer }) => clearNotifications(ctx, viewer), { n: 1, f: 1 }],
  ['dismisses a group', 0, ({ ctx, viewer, key }) => dismissGroup(ctx, viewer, key), { n: 1, f: 0 }],
  [
    'dismisses those of a sender',
    1,
    ({ ctx, viewer, first }) => dismissRequests(ctx, viewer, [first]),
    { n: 1, f: 1 },
  ],
  [
    'shows those of a sender',
    1,
    ({ ctx, viewer, first }) => acceptRequests(ctx, viewer, [first]),
    { n: many + 1, f: 1 },
  ],
])('%s of very many notifications in parts, but no later one', async (_, filtered, act, expected) => {
  const there = await place(filtered)
  await act(there)
  await settleLateWork()
  expect(there.counted.read().rowsRead).toBeLessThanOrEqual(2_000)
  const begun = await there.left()
  expect(expected.n === 1 ? begun?.n : begun?.f).toBeLessThan(many)
  expect(expected.n === 1 ? begun?.n : begun?.f).toBeGreaterThan(0)
  await there.write(there.ctx.ids.next(), 1)
  let parts = 0
  for (let job = there.jobs.shift(); job !== undefined; job = there.jobs.shift()) {
    parts += 1
    await runJob(there.ctx, job)
    await runJob(there.ctx, job)
  }
  // A part of a job is larger than that of the request.
  expect(parts).toBeLessThanOrEqual(2)
  expect(await there.left()).toEqual(expected)
})
