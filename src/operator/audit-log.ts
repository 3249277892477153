import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { type AuditFilter, findAuditLog } from '../domain/core/find-audit-log'
import { idOfHandle } from '../domain/moderation/find-target'
import type { Ctx } from '../ports/ctx'
import { presentAuditLogEntry } from '../view/present/admin-account'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const pageLength = 100
const List = z.object({
  by: z.string().nullable().default(null),
  type: z.string().nullable().default(null),
  id: Id.nullable().default(null),
  before: Id.nullable().default(null),
})

/** Routes about the audit log for operators without a panel. Mounted behind the set-up token. */
export function auditLogRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/audit-log/list', async (c) => {
    const ctx = c.get('ctx')
    const input = await readInput(c, List)
    const page = { limit: pageLength, maxId: input.before ?? undefined }
    const found = await execute(ctx.db, findAuditLog(ctx, await filterOf(ctx, input), page))
    const last = found.length < pageLength ? undefined : found.at(-1)
    return c.json({
      entries: found.map(presentAuditLogEntry),
      next: last === undefined ? null : String(last.id),
    })
  })
  return app
}

async function filterOf(ctx: Ctx, { by, type, id }: z.output<typeof List>): Promise<AuditFilter> {
  if (by !== null) return { by: await idOfHandle(ctx, by) }
  return type === null ? null : { targetType: type, targetId: id ?? undefined }
}
