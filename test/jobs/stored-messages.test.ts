import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { outbox } from '../../src/db/schema'
import { done } from '../../src/domain/core/changes'
import { sweepOutbox } from '../../src/jobs/outbox'
import type { StatusDeletion } from '../../src/messages/events'
import type { Job } from '../../src/messages/jobs'
import { consume } from '../support/run-job'
import { clock, context } from '../support/test-app'

/** A queue message that records whether it was acknowledged or retried. */
function message(body: unknown) {
  const fate: string[] = []
  return {
    fate,
    body,
    ack: () => void fate.push('acknowledged'),
    retry: () => void fate.push('retried'),
  }
}

/** A context whose log and queues are lists. */
function listening() {
  const [errors, dead, queued]: [string[], unknown[], Job[]] = [[], [], []]
  const ctx = context({
    log: { info: () => undefined, error: (text, facts) => void errors.push(`${text}: ${facts?.['kind']}`) },
    deadLetters: { send: async (body) => void dead.push(body) },
    jobs: { send: async (job) => void queued.push(job) },
  })
  return { ctx, errors, dead, queued }
}

const deletion: StatusDeletion = {
  kind: 'status.deleted',
  accountId: 7,
  statusId: 5,
  visibility: 'public',
  concernedIds: [8],
}

const oldAndNew: readonly (readonly [Readonly<Record<string, unknown>>, Job])[] = [
  [
    { kind: 'thread.wanted', statusId: 5, levels: 3 },
    { kind: 'fetch-ancestors', statusId: 5, levels: 3 },
  ],
  [
    { kind: 'hint.received', uri: 'https://a.example/1' },
    { kind: 'refetch-object', uri: 'https://a.example/1' },
  ],
  [
    { kind: 'account.left', accountId: 7 },
    { kind: 'purge-account-statuses', accountId: 7 },
  ],
  [
    { kind: 'account.moved', accountId: 7, targetAccountId: 8 },
    { kind: 'move-followers', accountId: 7, targetAccountId: 8 },
  ],
  [
    { kind: 'account.unlocked', accountId: 7 },
    { kind: 'accept-follow-requests', accountId: 7 },
  ],
  [
    { kind: 'domain.limited', domain: 'a.example' },
    { kind: 'delete-domain-media', domain: 'a.example' },
  ],
  [
    { kind: 'push.failed', subscriptionId: 1, notificationId: 2, attempt: 3 },
    { kind: 'retry-push', subscriptionId: 1, notificationId: 2, attempt: 3 },
  ],
  [
    { kind: 'continue-list-removal', listId: 5 },
    { kind: 'continue-long-task', task: 'remove-list', unit: 5 },
  ],
  [
    { kind: 'continue-removal', statusId: 5 },
    { kind: 'continue-long-task', task: 'remove-status', unit: 5 },
  ],
  [
    { kind: 'continue-removal', statusId: 5, announcement: { eventId: 6, event: deletion } },
    { kind: 'federate-removal', statusId: 5, eventId: 6, event: deletion },
  ],
  [
    {
      kind: 'delivery.wanted',
      eventId: 1,
      event: { kind: 'account.updated', accountId: 7 },
      after: 'a.example',
    },
    {
      kind: 'continue-delivery',
      eventId: 1,
      event: { kind: 'account.updated', accountId: 7 },
      after: 'a.example',
    },
  ],
]

describe('queue messages', () => {
  for (const [old, job] of oldAndNew)
    it(`runs the old form ${JSON.stringify(old)} as ${job.kind}`, async () => {
      const { ctx, dead } = listening()
      const [run, stored]: [Job[], ReturnType<typeof message>] = [[], message(old)]
      await consume(ctx, [stored], async (_, one) => {
        run.push(one)
        return done
      })
      expect(run).toEqual([job])
      expect([stored.fate, dead]).toEqual([['acknowledged'], []])
    })

  for (const body of [{ kind: 'launch-rocket', to: 'moon' }, { kind: 'fetch-ancestors' }, 'text', null])
    it(`unknown jobs go to the dead-letter queue unchanged, with a log line: ${JSON.stringify(body)}`, async () => {
      const { ctx, errors, dead } = listening()
      const stored = message(body)
      await consume(ctx, [stored], () => Promise.reject(new Error('must not run')))
      expect(dead).toEqual([body])
      expect(stored.fate).toEqual(['acknowledged'])
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatch(/unknown job was moved to the dead-letter queue/)
    })

  it('unknown jobs stay in the queue when the dead-letter queue refuses them', async () => {
    const { ctx } = listening()
    const stored = message({ kind: 'launch-rocket' })
    const full = { ...ctx, deadLetters: { send: () => Promise.reject(new Error('full')) } }
    await expect(consume(full, [stored], async () => done)).rejects.toThrow('full')
    expect(stored.fate).toEqual([])
  })
})

describe('outbox messages', () => {
  async function store(ctx: ReturnType<typeof context>, event: unknown, attempts = 0) {
    const id = ctx.ids.next()
    await ctx.db.run(sql`insert into ${outbox} (id, event, attempts, not_before)
      values (${id}, ${JSON.stringify(event)}, ${attempts}, ${clock.now().getTime() - 1})`)
    return { isStored: async () => (await ctx.db.select().from(outbox).where(eq(outbox.id, id))).length > 0 }
  }

  it('messages of an old kind are queued as current jobs', async () => {
    const { ctx, queued } = listening()
    const row = await store(ctx, { kind: 'thread.wanted', statusId: 5, levels: 3 })
    await sweepOutbox(ctx)
    expect(queued).toEqual([{ kind: 'fetch-ancestors', statusId: 5, levels: 3 }])
    expect(await row.isStored()).toBe(false)
  })

  it('unknown messages go to the dead-letter queue', async () => {
    const { ctx, dead, errors } = listening()
    const row = await store(ctx, { kind: 'rocket.launched' })
    await sweepOutbox(ctx)
    expect(dead).toEqual([{ kind: 'rocket.launched' }])
    expect(errors).toHaveLength(1)
    expect(await row.isStored()).toBe(false)
  })
})
