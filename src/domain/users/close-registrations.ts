import { sql } from 'drizzle-orm'
import { combineQueries, execute, first, oneRow, type Query, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { pickSettings, settingKey } from '../instance/settings'
import { operator } from '../policy/permissions'
import { hasStaffPermission, type Member } from './find'
import { addUnsentMail } from './unsent-mails'

/** A week, and a day more because activity is recorded once a day. Source: Mastodon. */
const unattendedDays = 8

/**
 * Makes registrations need approval where they are open and no moderator was active for a week: a periodic task. Those
 * who may manage settings get a mail. Does nothing in the first week of a server, and where the setting forbids it.
 */
export async function closeUnattendedRegistrations(ctx: Ctx): Promise<void> {
  const since = ctx.clock.now().getTime() - unattendedDays * dayMilliseconds
  const found = await execute(
    ctx.db,
    combineQueries({
      current: pickSettings(ctx, ['registrations', 'closeUnattended']),
      unattended: first(
        ctx.db.select({ is: sql<number>`${isUnattended(since)}`.as('is_unattended') }).from(oneRow),
      ),
    }),
  )
  const { registrations, closeUnattended } = found.current
  if (registrations !== 'open' || !closeUnattended || found.unattended?.is !== 1) return
  const now = ctx.clock.now().getTime()
  const key = settingKey('registrations')
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from settings where key = ${key} and value <> '"open"')`,
      new Conflict('setting_changed'),
    )
    .add(
      ctx.db.run(sql`insert into ${settings} (key, value, updated_at) values (${key}, '"approval"', ${now})
        on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`),
    )
  recordAudit(ctx, changes, operator, {
    action: 'close_unattended',
    target: { type: 'settings', id: null, label: 'registrations' },
    before: { registrations: 'open' },
    after: { registrations: 'approval' },
  })
  for (const manager of await execute(ctx.db, findManagers(ctx)))
    addUnsentMail(ctx, changes, { kind: 'registrations-closed', ...manager })
  await commit(ctx, changes)
}

/** No moderator was active or appointed since, and the server is older than that. */
function isUnattended(since: number) {
  return sql`not exists (select 1 from roles role cross join users u
      where ${hasStaffPermission('manageReports')} and coalesce(u.last_active_at, u.created_at) >= ${since})
    and exists (select 1 from users where created_at < ${since})`
}

/** Staff who can open registrations again. */
function findManagers(ctx: Ctx): Query<Pick<Member, 'accountId' | 'username' | 'email' | 'locale'>[]> {
  return rows(
    ctx.db
      .select({
        accountId: sql<AccountId>`u.account_id`.as('account_id'),
        username: sql<string>`a.username`.as('username'),
        email: sql<string>`u.email`.as('email'),
        locale: sql<string>`u.locale`.as('locale'),
      })
      .from(sql`roles role cross join users u cross join accounts a on a.id = u.account_id`)
      .where(hasStaffPermission('manageSettings')),
  )
}
