import { sql } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { featuredTags } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { selectUncountedTagUses } from './find'

/** Statements of one part, and those left to the effects that run after the counting in the same invocation. */
const statementsPerPart = 2
const statementsAfter = 20

/**
 * Continues counting the uses of a hashtag that was featured by an account with many statuses: parts while the invocation
 * has statements left, and a job for the rest. Each part moves the progress: a second run counts the next one.
 */
export async function countTagUses(ctx: Ctx, featuredId: number): Promise<void> {
  while (await isBeingCounted(ctx, featuredId)) {
    if (ctx.usage.statementsLeft() < statementsPerPart + statementsAfter) {
      await ctx.jobs.send({ kind: 'count-tag-uses', featuredId })
      return
    }
    await countPart(ctx, featuredId)
  }
}

async function isBeingCounted(ctx: Ctx, featuredId: number): Promise<boolean> {
  const { id, countingBefore } = featuredTags
  const found = first(
    ctx.db
      .select({ id })
      .from(featuredTags)
      .where(sql`${id} = ${featuredId} and ${countingBefore} is not null`),
  )
  return (await execute(ctx.db, found)) !== null
}

async function countPart(ctx: Ctx, featuredId: number): Promise<void> {
  const part = ctx.db.run(sql`update ${featuredTags} set
      statuses_count = statuses_count + part.uses,
      last_status_at = coalesce(last_status_at, part.last_at),
      counting_before = part.next
    from (${selectUncountedTagUses(featuredId)}) part
    where featured_tags.id = ${featuredId} and featured_tags.counting_before is not null`)
  await commit(ctx, new Changes().add(part))
}
