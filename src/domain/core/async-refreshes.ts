import { eq, sql } from 'drizzle-orm'
import { first, type Query } from '../../db/query'
import { asyncRefreshes } from '../../db/schema'
import type { AccountId, StatusId } from '../../lib/ids'
import { sign, verify } from '../../lib/secrets'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from './changes'

// Background work that continues after a response and may change the next one: clients get an id to poll.

/** Subject of a refresh. It is the key of its row, so that the same work starts once. */
export const refreshSubject = {
  context: (id: StatusId) => `context:${id}`,
  annualReport: (account: AccountId, year: number) => `annual_report:${account}:${year}`,
}

export interface Refresh {
  readonly subject: string
  readonly status: 'running' | 'finished'
  /** Number of results; null while unknown. */
  readonly resultCount: number | null
}

/** Retention of a refresh, during which it does not start again. */
const keptMilliseconds = 15 * 60_000

/** Refresh of `subject` started within the last quarter of an hour. One statement. */
export function findRefresh(ctx: Ctx, subject: string): Query<Refresh | null> {
  const { status, resultCount, expiresAt } = asyncRefreshes
  return first(
    ctx.db
      .select({ subject: asyncRefreshes.subject, status, resultCount })
      .from(asyncRefreshes)
      .where(sql`${asyncRefreshes.subject} = ${subject} and ${expiresAt} > ${ctx.clock.now().getTime()}`),
  )
}

/** Records that work on `subject` starts; false when it has started already. */
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

/** Records that the work is done, with its result count. Without a row of the refresh nothing happens. */
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

/** Cron: deletes expired refreshes. */
export async function pruneRefreshes(ctx: Ctx): Promise<void> {
  const over = sql`${asyncRefreshes.expiresAt} <= ${ctx.clock.now().getTime()}`
  await commit(ctx, new Changes().add(ctx.db.delete(asyncRefreshes).where(over)))
}

const purpose = 'async-refresh'

/** Id given to clients: the subject, signed, so that ids cannot be guessed. */
export async function refreshId({ config }: Ctx, subject: string): Promise<string> {
  return `${subject}--${await sign(config.secrets, purpose, subject)}`
}

/** Subject named by an id. `isOwnRefreshId` verifies the signature. */
export function subjectOfRefreshId(id: string): string {
  return id.slice(0, Math.max(0, id.indexOf('--')))
}

export function isOwnRefreshId({ config }: Ctx, id: string): Promise<boolean> {
  const subject = subjectOfRefreshId(id)
  return verify(config.secrets, purpose, subject, id.slice(subject.length + 2))
}
