import { type SQL, sql } from 'drizzle-orm'
import { statuses } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

/** JSON of a status's reactions with one more of this kind; `picture` is the custom emoji as JSON. */
export function oneMoreReaction(name: string, picture: string | null): SQL {
  return sql`(select json_group_array(json(kind)) from (
    select case when value ->> 'name' = ${name} then json_set(value, '$.count', (value ->> 'count') + 1) else value end as kind
      from json_each(statuses.reactions)
    union all
    select json_object('name', ${name}, 'count', 1, 'emoji', json(${picture}))
      where not exists (select 1 from json_each(statuses.reactions) where value ->> 'name' = ${name})))`
}

/** Subtracts the reactions with the ids `part` selects from the counts. Before the rows are deleted. */
export function uncountReactions(ctx: Ctx, part: SQL) {
  const gone = sql`coalesce((select gone.count from (
      select r.status_id, r.name, count(*) as count from emoji_reactions r where r.id in (${part}) group by 1, 2) gone
    where gone.status_id = statuses.id and gone.name = kind.value ->> 'name'), 0)`
  return ctx.db
    .update(statuses)
    .set({
      reactions: sql`(select json_group_array(json_set(value, '$.count', rest)) from (
        select kind.value as value, (kind.value ->> 'count') - ${gone} as rest from json_each(statuses.reactions) kind)
        where rest > 0)`,
    })
    .where(sql`${statuses.id} in (select status_id from emoji_reactions where id in (${part}))`)
}
