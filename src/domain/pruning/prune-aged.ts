import { type SQL, sql } from 'drizzle-orm'
import { execute, limitTo } from '../../db/query'
import { applications, notifications, severedFollows, tombstones, usageDays, users } from '../../db/schema'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { pickSettings, planOf } from '../instance/settings'

/** Rows of each kind deleted by a run. An hourly run of the free plan writes 1,000 rows at most. */
const mostAtOnce = { free: 40, paid: 1_000 } as const

/** Days for which an application waits for its first user. */
const unusedApplicationDays = 30

/** Days for which the usage of quotas is kept: a year, and the month before. */
const usageKeptDays = 400

const agedSettings = [
  'keepNotificationDays',
  'keepTombstoneDays',
  'keepSeveredFollowDays',
  'keepSignUpAddressDays',
  'plan',
] as const

/**
 * Cron: deletes rows by their age, whatever the size of the database: notifications, tombstones of local statuses, lists
 * of severed follows, addresses of sign-ups, applications without a sign-in, and the usage of quotas. A
 * part of each per run.
 */
export async function pruneAged(ctx: Ctx): Promise<void> {
  const days = await execute(ctx.db, pickSettings(ctx, agedSettings))
  const before = (count: number) => new Date(ctx.clock.now().getTime() - count * dayMilliseconds)
  const some = limitTo(mostAtOnce[planOf(ctx, days)])
  const notified = firstIdAt(before(days.keepNotificationDays))
  const severed = firstIdAt(before(days.keepSeveredFollowDays))
  const changes = new Changes().add(
    ctx.db
      .delete(notifications)
      .where(sql`id in (select id from notifications where id < ${notified} order by id ${some})`),
    ctx.db.delete(tombstones).where(sql`uri in (${oldTombstones(before(days.keepTombstoneDays), some)})`),
    ctx.db.delete(severedFollows).where(sql`(event_id, account_id, other_account_id, followed) in (
      select event_id, account_id, other_account_id, followed from severed_follows
      where event_id < ${severed} order by event_id ${some})`),
    ctx.db
      .update(users)
      .set({ signUpIp: null })
      .where(sql`account_id in (select account_id from users where sign_up_ip is not null
        and created_at < ${before(days.keepSignUpAddressDays).getTime()} order by created_at ${some})`),
    ctx.db
      .delete(applications)
      .where(sql`id in (${unusedApplications(before(unusedApplicationDays), some)})`),
    ctx.db
      .delete(usageDays)
      .where(
        sql`day in (select day from usage_days where day < ${dayOf(before(usageKeptDays))} order by day ${some})`,
      ),
  )
  await commit(ctx, changes)
}

/** Published tombstones of statuses. Those of accounts stay: their names are never given again. */
function oldTombstones(before: Date, some: SQL): SQL {
  return sql`select uri from tombstones where published = 1 and deleted_at < ${before.getTime()}
    and not (uri glob 'http*://*/users/*' and uri not glob 'http*://*/users/*/*') order by deleted_at ${some}`
}

/** Applications without users, tokens and codes: they were registered, and never or no longer used. */
function unusedApplications(before: Date, some: SQL): SQL {
  return sql`select a.id from applications a where a.used = 0 and a.created_at < ${before.getTime()}
    and not exists (select 1 from access_tokens t where t.application_id = a.id)
    and not exists (select 1 from authorization_codes c where c.application_id = a.id)
    and not exists (select 1 from users u where u.created_by_application_id = a.id)
    order by a.created_at ${some}`
}
