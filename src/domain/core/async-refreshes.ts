import { eq, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { asyncRefreshes } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import { sign, verify } from '../../lib/secrets'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from './changes'

// Work that goes on after an answer and may change what the next one tells: clients are given an id to ask about it.

/** What a refresh is for. The address of its row, so that the same work is begun once. */
export const refreshSubject = {
  context: (id: StatusId) => `context:${id}`,
  annualReport: (account: AccountId, year: number) => `annual_report:${account}:${year}`,
}

export interface Refresh {
  readonly subject: string
  readonly status: 'running' | 'finished'
  /** How much came of it; null while nobody can tell. */
  readonly resultCount: number | null
}

/** How long a refresh is remembered, and not begun again. */
const keptMilliseconds = 15 * 60_000

/** The refresh of `subject`, begun within the last quarter of an hour. One statement. */
export function findRefresh(ctx: Ctx, subject: string): Query<Refresh | null> {
  const { status, resultCount, expiresAt } = asyncRefreshes
  return first(
    ctx.db
      .select({ subject: asyncRefreshes.subject, status, resultCount })
      .from(asyncRefreshes)
      .where(sql`${asyncRefreshes.subject} = ${subject} and ${expiresAt} > ${ctx.clock.now().getTime()}`),
  )
}

/** Notes that work on `subject` begins; false when it has begun already. */
export async function beginRefresh(ctx: Ctx, subject: string): Promise<boolean> {
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + keptMilliseconds)
  const [begun] = await commit(
    ctx,
    new Changes().add(
      ctx.db
        .insert(asyncRefreshes)
        .values({ subject, status: 'running', resultCount: null, expiresAt })
        .onConflictDoUpdate({
          target: asyncRefreshes.subject,
          set: { status: 'running', resultCount: null, expiresAt },
          setWhere: sql`${asyncRefreshes.expiresAt} <= ${now.getTime()}`,
        }),
    ),
  )
  return begun !== undefined && begun > 0
}

/** Notes that the work is done, and what came of it. Nothing happens where nobody was told of it. */
export async function endRefresh(ctx: Ctx, subject: string, resultCount: number): Promise<void> {
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(asyncRefreshes)
        .set({ status: 'finished', resultCount })
        .where(eq(asyncRefreshes.subject, subject)),
    ),
  )
}

/** Cron: forgets what nobody asks about any more. */
export async function pruneRefreshes(ctx: Ctx): Promise<void> {
  const over = sql`${asyncRefreshes.expiresAt} <= ${ctx.clock.now().getTime()}`
  await commit(ctx, new Changes().add(ctx.db.delete(asyncRefreshes).where(over)))
}

const purpose = 'async-refresh'

/** The id clients know: the subject, signed, so that nobody asks about what they were not told of. */
export async function refreshId({ config }: Ctx, subject: string): Promise<string> {
  return `${subject}--${await sign(config.secret, purpose, subject)}`
}

/** The subject that an id names. Whether the id is ours, `isOwnRefreshId` tells. */
export function subjectOfRefreshId(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('--')))
}

export function isOwnRefreshId({ config }: Ctx, id: string): Promise<boolean> {
  const subject = subjectOfRefreshId(id)
  return verify(config.secret, purpose, subject, id.slice(subject.length + 2))
}
