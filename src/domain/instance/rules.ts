import { asc, eq } from 'drizzle-orm'
import { first, type Query, rows } from '../../db/query'
import { rules } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'

export type RuleRow = typeof rules.$inferSelect

/** Rules of the instance in their order. */
export function loadRules(ctx: Ctx): Query<RuleRow[]> {
  return rows(ctx.db.select().from(rules).orderBy(asc(rules.position), asc(rules.id)))
}

export function findRule(ctx: Ctx, id: number): Query<RuleRow | null> {
  return first(ctx.db.select().from(rules).where(eq(rules.id, id)))
}
