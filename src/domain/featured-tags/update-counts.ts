import { sql } from 'drizzle-orm'
import { preparedWriteShapes } from '../../db/prepared'
import { featuredTags, tags } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import { inJsonList } from '../../db/sql'
import type { StatusTag } from '../../db/values'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

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
