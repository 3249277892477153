import { sql } from 'drizzle-orm'
import { jsonRows, type Query, rows } from '../../db/query'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import { hasStaffPermission } from '../users/find'
/** A moderator, and the reported account they are to be notified of. */
export interface ReportRecipient {
  readonly staffId: AccountId
  readonly targetId: AccountId
}

/**
 * Moderators to notify of new reports about these accounts: none, as in Mastodon, where an earlier report is still
 * unresolved. One statement.
 */
export function findReportRecipients(
  ctx: Ctx,
  targets: readonly AccountId[],
): Query<readonly ReportRecipient[]> {
  return rows(
    ctx.db
      .select({
        staffId: sql<AccountId>`u.account_id`.as('staff_id'),
        targetId: sql<AccountId>`item.value`.as('target_id'),
      })
      .from(sql`${jsonRows(targets)} cross join roles role cross join users u`)
      .where(
        sql`${hasStaffPermission('manageReports')}
          and not exists (select 1 from reports earlier
            where earlier.target_account_id = item.value and earlier.action_taken_at is null)`,
      ),
  )
}

interface ReportsToNotify {
  readonly reports: readonly {
    readonly id: number
    readonly accountId: AccountId
    readonly targetAccountId: AccountId
  }[]
  readonly staff: readonly ReportRecipient[]
}

/** Adds notifications to moderators. */
export function notifyStaffOfReports(ctx: Ctx, changes: Changes, { reports, staff }: ReportsToNotify): void {
  const about = { type: 'admin.report', statusId: null } as const
  notify(
    ctx,
    changes,
    reports.flatMap(({ id, accountId, targetAccountId }) =>
      staff
        .filter(({ targetId }) => targetId === targetAccountId)
        .map(({ staffId }) => ({ ...about, to: staffId, from: accountId, subjectId: id })),
    ),
  )
}
