import { sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { auditLog } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from './page'

export type AuditLogRow = typeof auditLog.$inferSelect

/** Narrowing of the audit log: to the acts of one moderator, or to those on one target. */
export type AuditFilter =
  | { readonly by: AccountId }
  | { readonly targetType: string; readonly targetId: number | undefined }
  | null

/** A page of the audit log, newest first. One statement; each filter has an index. */
export function findAuditLog(ctx: Ctx, filter: AuditFilter, page: Page): Query<readonly AuditLogRow[]> {
  const { bounds, order } = idPage(page, sql`${auditLog.id}`)
  const found = ctx.db
    .select()
    .from(auditLog)
    .where(sql`${conditionOf(filter)} and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

function conditionOf(filter: AuditFilter) {
  if (filter === null) return sql`1`
  if ('by' in filter) return sql`${auditLog.accountId} = ${filter.by}`
  const { targetType, targetId } = filter
  const isOfType = sql`${auditLog.targetType} = ${targetType}`
  return targetId === undefined ? isOfType : sql`${isOfType} and ${auditLog.targetId} = ${targetId}`
}
