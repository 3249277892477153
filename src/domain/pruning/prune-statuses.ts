import { type SQL, sql } from 'drizzle-orm'
import { featuredTags, formerTags, statusTags } from '../../db/schema'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { deleteRemoteStatuses } from '../statuses/delete-remote'
import { changedIn, countedBy, tagsCounted, tagsOf } from './find-pruned'
import type { StatusGroup } from './find-statuses'

/** Statuses deleted in one batch. */
const deletedAtOnce = 100

/** Rows of a part changed since they were read: a local account marked one, or another run deleted some. */
export class PartChanged extends Conflict {
  override readonly name = 'PartChanged'
}

/** Takes whole groups up to the size of a batch. `end` is the oldest status of the first group that is left out. */
export function takeGroups(groups: readonly StatusGroup[]): {
  readonly ids: readonly StatusId[]
  readonly end: StatusId | null
} {
  const taken = new Set<StatusId>()
  for (const group of groups) {
    const added = group.filter((id) => !taken.has(id))
    if (taken.size > 0 && taken.size + added.length > deletedAtOnce)
      return { ids: [...taken], end: group[0] ?? null }
    for (const id of added) taken.add(id)
  }
  return { ids: [...taken], end: null }
}

/**
 * Adds the deletion of remote statuses, whole groups: their rows with all that refers to them, and what counted them.
 * `PartChanged` where one of them is to be kept by now.
 *
 * The counts of their servers are lowered by `lowerServers`, for many parts together.
 *
 * Silent: no event, no tombstone. Deliveries and requests store the same statuses again.
 */
export function deletePruned(ctx: Ctx, changes: Changes, ids: readonly StatusId[]): void {
  const part = sql`select value from json_each(${JSON.stringify(ids)})`
  changes.require(sql`not exists (${changedIn(part, ids.length)})`, new PartChanged('statuses_changed')).add(
    // Counters before the rows they are computed from.
    ...uncount(ctx, part),
    ctx.db.delete(statusTags).where(sql`(tag_id, status_id) in (${tagsOf(part)})`),
    ctx.db.delete(formerTags).where(sql`status_id in (${part})`),
    ...deleteRemoteStatuses(ctx, part),
  )
}

/** Statement that takes pruned statuses from the counts of their servers: a row written for each server. */
export function lowerServers(ctx: Ctx, servers: Readonly<Record<string, number>>) {
  return ctx.db.run(sql`insert into domain_changes select item.key, 0, 0, -item.value, 0, 0, 0, null
    from json_each(${JSON.stringify(servers)}) item`)
}

/**
 * Statements that lower what counts the statuses, as far as they may come back and be counted again: replies and quotes are
 * fetched again. Counts that other servers reported stay, and so do the number of reblogs, which nobody undid, and that of
 * an author's posts, who deleted none of them.
 */
function uncount(ctx: Ctx, part: SQL) {
  return [
    ctx.db.run(sql`update statuses set replies_count = max(0, replies_count - gone.replies),
      quotes_count = max(0, quotes_count - gone.quotes)
      from ${countedBy(part)} where statuses.id = gone.id and statuses.id not in (${part})`),
    ctx.db.run(sql`update ${featuredTags} set statuses_count = max(0, statuses_count - gone.less)
      from ${tagsCounted(part)} where featured_tags.account_id = gone.account and featured_tags.tag_id = gone.tag`),
  ]
}
