import { sql } from 'drizzle-orm'
import { preparedWriteShapes } from '../../db/prepared'
import { execute, first, inJsonList } from '../../db/query'
import { featuredTags, tags } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { StatusTag } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { selectUncountedTagUses } from './find'

/** Columns of a status that decide which featured tags count it. */
interface Tagged {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly visibility: Visibility
  readonly localOnly?: boolean | undefined
  readonly tags?: readonly StatusTag[] | undefined
}

/**
 * Statements that count a status in its author's featured tags, but for those whose counting has not come to it. For the
 * batch that adds (`by` 1) or removes (-1) it.
 */
export function updateFeaturedCounts(ctx: Ctx, status: Tagged, by: 1 | -1) {
  const { id, accountId, visibility, localOnly = false, tags: used = [] } = status
  const isOpen = (visibility === 'public' || visibility === 'unlisted') && !localOnly
  if (used.length === 0 || !isOpen) return []
  const names = JSON.stringify(used.map(({ name }) => name))
  const now = ctx.clock.now().getTime()
  return [changeCounts(ctx.db, { by, now, accountId, names, id }, { isAdded: by === 1 })]
}

const changeCounts = preparedWriteShapes(
  ['by', 'now', 'accountId', 'names', 'id'],
  (db, { by, now, accountId, names, id }, { isAdded }: { readonly isAdded: boolean }) => {
    const named = sql`select ${tags.id} from ${tags} where ${inJsonList(tags.name, names)}`
    return db
      .update(featuredTags)
      .set({
        statusesCount: sql`max(0, statuses_count + ${by})`,
        ...(isAdded ? { lastStatusAt: now } : {}),
      })
      .where(sql`${featuredTags.accountId} = ${accountId} and ${featuredTags.tagId} in (${named})
        and (counting_before is null or counting_before <= ${id})`)
  },
)

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
