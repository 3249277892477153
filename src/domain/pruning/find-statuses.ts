import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { metaOf } from '../../db/observed-binding'
import { map, type Query, rawResults } from '../../db/query'
import { limitTo } from '../../db/sql'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { dependants, isAuthorFollowed, isKept } from './find-kept-statuses'

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
export type StatusGroup = readonly StatusId[]

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
