import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { metaOf } from '../../db/observed-binding'
import { limitTo, map, type Query, rawResults } from '../../db/query'
import { featuredTags, formerTags, statusTags } from '../../db/schema'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { deleteRemoteStatuses } from '../statuses/remove'
import { dependants, isAuthorFollowed, isKept } from './find-kept-statuses'
import { changedIn, countedBy, tagsCounted, tagsOf } from './find-pruned'

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
 * fetched again. Counts that other servers reported stay, and so do the number of reblogs, which were not undone, and that of
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

/** Part of the statuses, in the order of their ids: those after `after`, and older than `before`. */
export interface StatusPart {
  readonly after: number
  readonly before: number
  /** Whether statuses by accounts that a local account follows are pruned as well. */
  readonly withFollowed: boolean
  /** Statuses inspected. */
  readonly most: number
}

/** Statuses pruned together: one with all that answers, reblogs or quotes it, directly or not. */
type StatusGroup = readonly StatusId[]

export interface FoundStatuses {
  readonly inspected: number
  /** The last status inspected; null where there was none. */
  readonly last: number | null
  /** Groups by their oldest status, in the order of its id. */
  readonly groups: readonly StatusGroup[]
  readonly rowsRead: number
}

/** Statuses that may depend on a pruned one. A thread of more is pruned from its ends, round by round. */
const mostDependants = 40

const Result = z.object({ results: z.array(z.object({ id: z.number(), members: z.string().nullable() })) })
const Members = z.array(z.tuple([z.number(), z.number()]))

/** Loads the groups among a part of the statuses that nothing keeps. One statement. */
export function findPrunable(
  ctx: Ctx,
  { after, before, withFollowed, most }: StatusPart,
): Query<FoundStatuses> {
  const stays = (alias: 's' | 'x') => sql`(${sql.raw(alias)}.id >= ${before} or ${isKept(alias)}
    ${withFollowed ? sql`` : sql`or ${isAuthorFollowed(alias)}`})`
  // D1 allows five terms.
  const steps = dependants.map(
    ({ table, id, names }) => `select d.${id} from down cross join ${table} d on d.${names} = down.id`,
  )
  const down = sql`with recursive down(id) as (select s.id union ${sql.raw(steps.join(' union '))}
    ${limitTo(mostDependants + 2)})`
  const hasMany = sql.raw(
    dependants
      .map(
        ({ table, names }) =>
          `exists (select 1 from ${table} d where d.${names} = s.id limit 1 offset ${mostDependants})`,
      )
      .join(' or '),
  )
  const members = sql`(select json_group_array(json_array(each_one.id, each_one.stays)) from (${down}
    select x.id as id, ${stays('x')} as stays from down cross join statuses x on x.id = down.id and x.id <> s.id) each_one)`
  const found = ctx.db.run(sql`with part(id) as materialized (
      select id from statuses where id > ${after} and id < ${before} order by id ${limitTo(most)})
    select s.id as id, case when ${stays('s')} or ${hasMany} then null else ${members} end as members
    from part cross join statuses s on s.id = part.id order by s.id`)
  return map(rawResults([found]), ([result]) => {
    const { results } = Result.parse(result)
    return {
      inspected: results.length,
      last: results.at(-1)?.id ?? null,
      groups: results.map(groupOf).filter((group) => group !== null),
      rowsRead: metaOf(result).rows_read,
    }
  })
}

/** Null where something keeps the status, or too much depends on it. */
function groupOf({ id, members }: z.output<typeof Result>['results'][number]): StatusGroup | null {
  if (members === null) return null
  const found = Members.parse(JSON.parse(members))
  if (found.length > mostDependants || found.some(([, stays]) => stays === 1)) return null
  return [id, ...found.map(([dependant]) => dependant)]
}
