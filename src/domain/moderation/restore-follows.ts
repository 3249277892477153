import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first, limitTo, map, orNotFound, type Query, rows } from '../../db/query'
import { accounts, severanceEvents, severedFollows } from '../../db/schema'
import { AppError, Conflict, Invalid } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { idPage, newestFirst, type Page } from '../core/page'
import type { Moderator } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'
import { followOptionsOf } from '../relationships/follow-rows'
import { restoreFollow } from '../relationships/sever'
import { findDomainLimit } from '../servers/limits'

export type Severance = typeof severanceEvents.$inferSelect

/** Time for which ended follows can be restored. */
export const restorableMilliseconds = 30 * dayMilliseconds
/** Follows of one part: each takes five statements, of the fifty of an invocation. */
const followsPerPart = 8
/** Time after which a restoration that did not finish may be started again. */
const stalledMilliseconds = 15 * 60_000

/** A page of the events that ended follows because a server was suspended, newest first. One statement. */
export function findSeverances(ctx: Ctx, page: Page): Query<readonly Severance[]> {
  const { bounds, order } = idPage(page, sql`${severanceEvents.id}`)
  const found = ctx.db
    .select()
    .from(severanceEvents)
    .where(sql`type = 'domain_block' and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

/**
 * Restores the follows that the suspension of a server ended, in parts by a job. Repeating it restores nothing twice.
 *
 * `NotFound` for an unknown event; `Invalid` after 30 days, and while the server is suspended.
 */
export async function restoreFollows(ctx: Ctx, moderator: Moderator, id: number): Promise<Severance> {
  const event = await execute(ctx.db, orNotFound(severanceById(ctx, id)))
  const now = ctx.clock.now()
  const age = now.getTime() - event.createdAt.getTime()
  if (age > restorableMilliseconds) throw new Invalid('follows_too_old')
  const limit = await execute(ctx.db, findDomainLimit(ctx, event.target))
  if (limit?.severity === 'suspend') throw new Invalid('server_suspended')
  const { restoreStartedAt: before } = event
  const isRunning = before !== null && now.getTime() - before.getTime() < stalledMilliseconds
  if (event.restoredAt !== null || isRunning) return event
  const changes = new Changes()
    .require(
      sql`exists (select 1 from severance_events where id = ${id} and restore_started_at is ${before?.getTime() ?? null})`,
      new Conflict('follows_being_restored'),
    )
    .add(ctx.db.update(severanceEvents).set({ restoreStartedAt: now }).where(eq(severanceEvents.id, id)))
    .enqueue({ kind: 'restore-follows', eventId: id, after: null })
  recordAudit(ctx, changes, moderator, {
    action: 'restore',
    target: { type: 'severance', id, label: event.target },
    after: { followersCount: event.followersCount, followingCount: event.followingCount },
  })
  await commit(ctx, changes)
  return { ...event, restoreStartedAt: now }
}

type Part = Job & { readonly kind: 'restore-follows' }

/**
 * Restores a part of the follows and queues the next part. What is forbidden meanwhile (blocks, moves, suspensions) is
 * left out. A part may run twice: follows and requests that exist are skipped.
 */
export async function continueRestoring(ctx: Ctx, { eventId, after }: Part): Promise<void> {
  const { event, part } = await execute(
    ctx.db,
    combineQueries({ event: severanceById(ctx, eventId), part: findPart(ctx, { eventId, after }) }),
  )
  if (event === null || event.restoredAt !== null) return
  let restored = 0
  for (const { isActive, ...follow } of part) if (isActive && (await attempt(ctx, follow))) restored += 1
  const last = part.at(-1)
  const isOver = part.length < followsPerPart || last === undefined
  const changes = new Changes().add(
    ctx.db
      .update(severanceEvents)
      .set({
        restoredCount: sql`${severanceEvents.restoredCount} + ${restored}`,
        ...(isOver ? { restoredAt: ctx.clock.now() } : { restoreStartedAt: ctx.clock.now() }),
      })
      .where(eq(severanceEvents.id, eventId)),
  )
  if (!isOver)
    changes.enqueue({
      kind: 'restore-follows',
      eventId,
      after: { accountId: last.accountId, otherId: last.otherId, followed: last.followed },
    })
  await commit(ctx, changes)
}

async function attempt(ctx: Ctx, follow: Parameters<typeof restoreFollow>[1]): Promise<boolean> {
  try {
    return await restoreFollow(ctx, follow)
  } catch (refusal) {
    if (refusal instanceof AppError) return false
    throw refusal
  }
}

function severanceById(ctx: Ctx, id: number): Query<Severance | null> {
  return first(
    ctx.db.select().from(severanceEvents).where(sql`${severanceEvents.id} = ${id} and type = 'domain_block'`),
  )
}

function findPart(ctx: Ctx, { eventId, after }: Pick<Part, 'eventId' | 'after'>) {
  const { accountId, otherAccountId, followed, showReblogs, notify, languages, showReplies, fewer } =
    severedFollows
  const isBehind =
    after === null
      ? sql`1`
      : sql`(${accountId}, ${otherAccountId}, ${followed})
          > (${after.accountId}, ${after.otherId}, ${after.followed ? 1 : 0})`
  const found = ctx.db
    .select({
      accountId,
      otherId: otherAccountId,
      followed,
      showReblogs,
      notify,
      languages,
      showReplies,
      fewer,
      silenced: sql<boolean>`${accounts.silencedAt} is not null`.mapWith(Boolean).as('silenced'),
      isActive: sql<boolean>`${isActiveAccount('severed_follows.account_id')}
        and (select o.suspended_at from accounts o where o.id = ${otherAccountId}) is null`
        .mapWith(Boolean)
        .as('is_active'),
    })
    .from(severedFollows)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(sql`${severedFollows.eventId} = ${eventId} and ${isBehind}`)
    .orderBy(sql`${accountId}, ${otherAccountId}, ${followed} ${limitTo(followsPerPart)}`)
  return map(rows(found), (list) =>
    list.map((follow) => ({
      ...follow,
      options: followOptionsOf(follow),
    })),
  )
}
