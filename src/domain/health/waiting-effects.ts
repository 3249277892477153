import { eq, sql } from 'drizzle-orm'
import { combineQueries, first, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import { outbox } from '../../db/schema'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { type AuditAction, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'

const mostListed = 40
/** Entries are counted up to here. */
const mostCounted = 200

/** An entry of the outbox whose effects were not run, or failed. */
export interface WaitingEffects {
  readonly id: number
  /** Kind of the event or job; what it names stays out, since it may hold addresses. */
  readonly kind: string
  readonly attempts: number
  readonly notBefore: Date
}

/** Entries of the outbox, those due first before others, and their number, at most `mostCounted`. */
export function findWaitingEffects(
  ctx: Ctx,
): Query<{ readonly count: number; readonly entries: readonly WaitingEffects[] }> {
  const { id, attempts, notBefore } = outbox
  const kind = sql<string>`coalesce(${outbox.event} ->> 'kind', '')`.as('kind')
  const counted = sql<number>`(select count(*) from (select 1 from outbox ${limitTo(mostCounted)}))`
  return map(
    combineQueries({
      entries: rows(
        ctx.db.select({ id, kind, attempts, notBefore }).from(outbox).orderBy(notBefore).limit(mostListed),
      ),
      counted: first(ctx.db.select({ count: counted.as('count') }).from(oneRow)),
    }),
    ({ entries, counted: found }) => ({ count: found?.count ?? 0, entries }),
  )
}

/** Makes an entry due at once, with as many attempts as a new one. */
export async function retryEffects(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const due = ctx.db.update(outbox).set({ attempts: 0, notBefore: ctx.clock.now() }).where(eq(outbox.id, id))
  await change(ctx, moderator, id, 'retry', new Changes().add(due))
}

/** Deletes an entry: its effects never happen. */
export async function dropEffects(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  await change(ctx, moderator, id, 'drop', new Changes().add(ctx.db.delete(outbox).where(eq(outbox.id, id))))
}

async function change(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  action: AuditAction,
  changes: Changes,
): Promise<void> {
  changes.require(sql`exists (select 1 from outbox where id = ${id})`, new NotFound())
  const target = { type: 'outbox' as const, id, label: '' }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action, target }))
}
