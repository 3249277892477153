import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { removedAuthorId } from '../../../src/contract/ids'
import { listAccounts, lists, outbox, statuses } from '../../../src/db/schema'
import { longTask } from '../../../src/domain/core/long-task'
import { makeRemovedAuthor } from '../../../src/domain/core/removed-author'
import { sweepOutbox } from '../../../src/jobs/outbox'
import { runJob } from '../../../src/jobs/run-job'
import type { Job } from '../../../src/messages/jobs'
import { tasks } from '../../../src/tasks'
import { given } from '../../support/given'
import { storedList } from '../../support/given-list'
import { storedStatus } from '../../support/given-stored'
import { asInvocation } from '../../support/invocations'
import { consume } from '../../support/run-job'
import { runTasks } from '../../support/run-tasks'
import { clock, context } from '../../support/test-app'

const removed = { id: removedAuthorId }

/** A list of one member and a status, whose removal began. */
async function removals() {
  const ctx = context()
  await ctx.db.batch([makeRemovedAuthor(ctx)])
  const list = await storedList({ of: removed, members: [await given.account()] })
  const status = await storedStatus({ accountId: removedAuthorId })
  return {
    list,
    status,
    left: async () => [
      ...(await ctx.db.select({ id: lists.id }).from(lists)),
      ...(await ctx.db.select({ id: listAccounts.listId }).from(listAccounts)),
      ...(await ctx.db.select({ id: statuses.id }).from(statuses)),
    ],
  }
}

/** A queue that keeps jobs until they are run. */
function queue() {
  const jobs: unknown[] = []
  const fates: string[] = []
  const sending = () => context({ jobs: { send: async (job) => void jobs.push(job) } })
  const run = async () => {
    for (let body = jobs.shift(); body !== undefined; body = jobs.shift()) {
      const message = {
        body,
        ack: () => void fates.push('acknowledged'),
        retry: () => void fates.push('retried'),
      }
      await consume(sending(), [message], runJob)
    }
    return fates
  }
  return { jobs, sending, run }
}

describe('a long task', () => {
  it('runs the queue messages of the version before', async () => {
    const { list, status, left } = await removals()
    const { jobs, run } = queue()
    jobs.push({ kind: 'continue-list-removal', listId: list }, { kind: 'continue-removal', statusId: status })
    expect(await run()).toEqual(['acknowledged', 'acknowledged'])
    expect(await left()).toEqual([])
  })

  it('runs the outbox rows of the version before', async () => {
    const { list, status, left } = await removals()
    const { sending, run } = queue()
    const ctx = sending()
    for (const event of [
      { kind: 'continue-list-removal', listId: list },
      { kind: 'continue-removal', statusId: status },
    ])
      await ctx.db.run(sql`insert into ${outbox} (id, event, not_before)
        values (${ctx.ids.next()}, ${JSON.stringify(event)}, ${clock.now().getTime() - 1})`)
    await sweepOutbox(ctx)
    expect(await run()).toEqual(['acknowledged', 'acknowledged'])
    expect(await left()).toEqual([])
  })

  it('resumes rows whose message was lost', async () => {
    const { list, status, left } = await removals()
    const { jobs, sending, run } = queue()
    const resuming = tasks.filter(({ name }) => ['resume-list-removals', 'resume-removals'].includes(name))
    await runTasks(sending(), resuming)
    expect(new Set(jobs)).toEqual(
      new Set([
        { kind: 'continue-long-task', task: 'remove-list', unit: list },
        { kind: 'continue-long-task', task: 'remove-status', unit: status },
      ]),
    )
    await run()
    expect(await left()).toEqual([])
    await runTasks(sending(), resuming)
    expect(jobs).toEqual([])
  })

  it('does as many steps as the invocation has statements for, and queues the rest', async () => {
    const jobs: Job[] = []
    let stepsLeft = 20
    const { run } = longTask({
      name: 'remove-list',
      state: sql`select id from ${lists}`,
      statements: 4,
      step: async ({ usage }) => {
        usage.add('statements', 4)
        stepsLeft -= 1
        return stepsLeft === 0
      },
    })
    const runOnce = () =>
      asInvocation('long task', () => run(context({ jobs: { send: async (job) => void jobs.push(job) } }), 7))
    await runOnce()
    expect(stepsLeft).toBe(8)
    expect(jobs).toEqual([{ kind: 'continue-long-task', task: 'remove-list', unit: 7 }])
    await runOnce()
    expect([stepsLeft, jobs.length]).toEqual([0, 1])
  })
})
