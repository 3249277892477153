import { eq } from 'drizzle-orm'
import { accessTokens, users } from '../../db/schema'
import { dayMilliseconds, dayOf, weekOf } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { countActiveDay } from '../metrics/active-days'
import { countReturnedUser } from '../metrics/counters'
import { incrementWeek } from '../metrics/daily-counters'
import { needsPresence, presenceUpdateMilliseconds } from '../notifications/mail-preferences'
import type { Caller } from './find'

/**
 * Records that a token and its user were active, after the response and at most once a day each. Sessions are renewed by
 * pages, with their cookie.
 */
export function recordActivity(ctx: Ctx, caller: Caller | null): void {
  if (caller === null) return
  const now = ctx.clock.now()
  const { person } = caller
  const changes = new Changes()
  if (caller.kind === 'token' && isStampDue(caller.lastUsedAt, now))
    changes.add(
      ctx.db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, caller.tokenId)),
    )
  if (person !== null) {
    const { viewer, lastActiveAt } = person
    // Notification emails are skipped for active users: users who want some have their activity recorded more
    // often.
    const period = needsPresence(viewer.settings.mail) ? presenceUpdateMilliseconds : dayMilliseconds
    addActivity(ctx, changes, { accountId: viewer.id, lastActiveAt, period })
  }
  if (changes.statements.length > 0) ctx.waitUntil(commit(ctx, changes))
}

interface ActivityUpdate {
  readonly accountId: AccountId
  readonly lastActiveAt: Date | null
  /** Minimum milliseconds between two stamps. */
  readonly period?: number
}

/**
 * Adds to `changes` that a user was active: the first time on a day counts for the day, and on a week for the week.
 */
export function addActivity(
  ctx: Ctx,
  changes: Changes,
  { accountId, lastActiveAt, period }: ActivityUpdate,
): void {
  const now = ctx.clock.now()
  const isNewDay = lastActiveAt === null || dayOf(lastActiveAt) !== dayOf(now)
  if (!isNewDay && !isStampDue(lastActiveAt, now, period)) return
  if (isNewDay) {
    const user = { accountId, lastActiveAt }
    changes.add(countActiveDay(ctx, user), ...countReturnedUser(ctx, user))
  }
  changes.add(ctx.db.update(users).set({ lastActiveAt: now }).where(eq(users.accountId, accountId)))
  if (lastActiveAt !== null && weekOf(lastActiveAt) === weekOf(now)) return
  changes.add(incrementWeek(ctx, now, { weekly: 'logins' }))
}

/** Stamps are written once a day: finer resolution is not worth the writes. */
export function isStampDue(last: Date | null, now: Date, period = dayMilliseconds): boolean {
  return last === null || now.getTime() - last.getTime() >= period
}
