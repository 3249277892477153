import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { outbox } from '../../../src/db/schema'
import { Changes, commit } from '../../../src/domain/core/changes'
import { Invalid } from '../../../src/errors'
import type { Job } from '../../../src/messages/jobs'
import type { LiveEvent } from '../../../src/messages/live'
import { context, settleLateWork } from '../../support/test-app'

const event = { kind: 'filters.changed', accountId: 7 } as const

function recordingContext() {
  const published: LiveEvent[] = []
  return { published, ctx: context({ streams: { publish: (told) => void published.push(told) } }) }
}

describe('a live-only event', () => {
  it('publishes a live-only event once however often it was emitted, and leaves nothing in the outbox', async () => {
    const { published, ctx } = recordingContext()
    const before = await ctx.db.$count(outbox)
    const changes = new Changes().add(ctx.db.run(sql`select 1`))
    await commit(
      ctx,
      changes
        .publish(event)
        .publish(event)
        .publish({ ...event }),
    )
    expect(published).toEqual([event])
    expect(await ctx.db.$count(outbox)).toBe(before)
  })

  it('does not publish a live-only event when the batch fails, by a guard or an error', async () => {
    const { published, ctx } = recordingContext()
    const guarded = new Changes()
      .require(sql`1 = 2`, new Invalid('invalid', { field: 'name' }))
      .publish(event)
    await expect(commit(ctx, guarded)).rejects.toThrow('Name is invalid')
    const broken = new Changes().add(ctx.db.run(sql`select nothing from nowhere`)).publish(event)
    await expect(commit(ctx, broken)).rejects.toThrow()
    expect(published).toEqual([])
  })
})

describe('an event under a condition', () => {
  function drainingContext() {
    const sent: Job[] = []
    const files = {
      ...context().files,
      delete: async (keys: readonly string[]) => void sent.push({ kind: 'delete-files', keys: [...keys] }),
    }
    return { sent, ctx: context({ files }) }
  }

  it('emits a conditional event where the condition is true at the end of the batch', async () => {
    const { sent, ctx } = drainingContext()
    const [first, second] = [ctx.ids.next(), ctx.ids.next()]
    const isThere = (id: number) => sql`exists (select 1 from ${outbox} where id = ${id})`
    const event = (key: number) => ({ kind: 'delete-files' as const, keys: [String(key)] })
    const row = { id: first, event: {}, notBefore: new Date(8.64e15) }
    const changes = new Changes()
      .enqueueWhere(isThere(first), event(first))
      .enqueueWhere(isThere(second), event(second))
      .add(ctx.db.insert(outbox).values(row))
    expect(await commit(ctx, changes)).toEqual([1])
    await settleLateWork()
    expect(sent).toEqual([event(first)])
    await ctx.db.delete(outbox).where(sql`id = ${first}`)
    expect(
      await ctx.db
        .select()
        .from(outbox)
        .where(sql`event like ${`%${second}%`}`),
    ).toEqual([])
  })
})
