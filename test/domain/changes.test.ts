import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { outbox } from '../../src/db/schema'
import { Changes, commit } from '../../src/domain/changes'
import { Invalid } from '../../src/errors'
import type { EphemeralEvent } from '../../src/events'
import { context } from '../support/world'

const event = { kind: 'filters.changed', accountId: 7 } as const

function listeningContext() {
  const heard: EphemeralEvent[] = []
  return { heard, ctx: context({ streams: { publish: (told) => void heard.push(told) } }) }
}

describe('an event that nobody keeps', () => {
  it('is told once however often it was emitted, and leaves nothing in the outbox', async () => {
    const { heard, ctx } = listeningContext()
    const before = await ctx.db.$count(outbox)
    const changes = new Changes().add(ctx.db.run(sql`select 1`))
    await commit(
      ctx,
      changes
        .emit(event)
        .emit(event)
        .emit({ ...event }),
    )
    expect(heard).toEqual([event])
    expect(await ctx.db.$count(outbox)).toBe(before)
  })

  it('is not told when the batch fails, by a guard or by itself', async () => {
    const { heard, ctx } = listeningContext()
    const guarded = new Changes().require(sql`1 = 2`, new Invalid('no')).emit(event)
    await expect(commit(ctx, guarded)).rejects.toThrow('no')
    const broken = new Changes().add(ctx.db.run(sql`select nothing from nowhere`)).emit(event)
    await expect(commit(ctx, broken)).rejects.toThrow()
    expect(heard).toEqual([])
  })
})
