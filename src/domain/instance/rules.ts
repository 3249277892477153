import { asc, sql } from 'drizzle-orm'
import { type Query, rows } from '../../db/query'
import { rules } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'

export type RuleRow = typeof rules.$inferSelect

/** Rules of the instance in their order. */
export function loadRules(ctx: Ctx): Query<RuleRow[]> {
  return rows(ctx.db.select().from(rules).orderBy(asc(rules.position), asc(rules.id)))
}

export interface RuleDraft {
  readonly text: string
  readonly hint: string
}

/** Replaces all rules. A rule whose text stays keeps its id: reports refer to rules by id. */
export async function saveRules(ctx: Ctx, drafts: readonly RuleDraft[]): Promise<void> {
  const firstId = ctx.ids.next()
  const list = drafts.map((draft, index) => ({ ...draft, id: firstId + index, position: index }))
  const unchanged = sql`select 1 from ${jsonRows(list)} where item.value ->> 'text' = rules.text`
  const changes = new Changes().add(
    ctx.db.delete(rules).where(sql`not exists (${unchanged})`),
    ctx.db.run(sql`update ${rules} set
      position = (select item.value ->> 'position' from ${jsonRows(list)} where item.value ->> 'text' = rules.text limit 1),
      hint = (select item.value ->> 'hint' from ${jsonRows(list)} where item.value ->> 'text' = rules.text limit 1)`),
    ctx.db.run(sql`insert into ${rules} (id, position, text, hint)
      select min(item.value ->> 'id'), min(item.value ->> 'position'), item.value ->> 'text', item.value ->> 'hint'
      from ${jsonRows(list)}
      where not exists (select 1 from ${rules} where rules.text = item.value ->> 'text')
      group by item.value ->> 'text'`),
  )
  await commit(ctx, changes)
}
