import { sql } from 'drizzle-orm'
import { inList } from '../../src/db/query'
import { mediaAttachments, scheduledStatuses } from '../../src/db/schema'
import type { ScheduledParams } from '../../src/db/schema/schedules'
import type { TestAccount } from './given'
import { clock, context } from './test-app'

const day = 86_400_000

export interface ScheduledOptions extends Partial<ScheduledParams> {
  readonly at?: Date
}

/** A status that waits for its time, tomorrow unless said, written straight into the tables. */
export async function scheduledStatus(
  by: TestAccount,
  { at, ...params }: ScheduledOptions = {},
): Promise<string> {
  const ctx = context()
  const id = ctx.ids.next()
  const scheduledAt = at ?? new Date(clock.now().getTime() + day)
  await ctx.db.insert(scheduledStatuses).values({
    id,
    accountId: by.id,
    scheduledAt,
    dueAt: scheduledAt,
    createdAt: clock.now(),
    params: { text: 'Later', spoilerText: '', mediaIds: [], quotePolicy: 'public', ...params },
  })
  const held = inList(mediaAttachments.id, params.mediaIds ?? [])
  await ctx.db.update(mediaAttachments).set({ scheduledStatusId: id }).where(sql`${held}`)
  return String(id)
}
