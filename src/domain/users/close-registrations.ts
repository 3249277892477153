import { sql } from 'drizzle-orm'
import { combineQueries, execute, first, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { oneRow } from '../../db/sql'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../platform/ports'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { pickSettings, settingKey } from '../instance/settings'
import { operator } from '../policy/moderators'
import { hasStaffPermission } from './find-staff'

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
      new Conflict('The setting has just been changed by someone else'),
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
  await commit(ctx, changes)
  await mailManagers(ctx)
}

/** No moderator was active or appointed since, and the server is older than that. */
function isUnattended(since: number) {
  return sql`not exists (select 1 from roles role cross join users u
      where ${hasStaffPermission('manageReports')} and coalesce(u.last_active_at, u.created_at) >= ${since})
    and exists (select 1 from users where created_at < ${since})`
}

async function mailManagers(ctx: Ctx): Promise<void> {
  const { mailer, config } = ctx
  if (mailer === null) return
  const managers = ctx.db
    .select({ email: sql<string>`u.email`.as('email') })
    .from(sql`roles role cross join users u`)
    .where(hasStaffPermission('manageSettings'))
  for (const { email } of await execute(ctx.db, rows(managers))) {
    try {
      await mailer.send({
        to: email,
        subject: `Sign-ups on ${config.domain} need approval now`,
        text: `No moderator of ${config.domain} was active for a week, so new members need approval from now on. That keeps spammers
from using a server that nobody watches.

Once somebody looks after it again, open it by the setting "registrations".
`,
      })
    } catch (cause) {
      ctx.log.error('A mail about closed registrations could not be sent', { cause })
    }
  }
}
