import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { jsonPart, jsonParts } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import { both, map, type Query, rows } from '../../db/query'
import { accounts, notifications, reports, roles, users } from '../../db/schema'
import type { PageWithSubjects } from '../../db/selection'
import type { ViewerRef } from '../../domain/core/viewer'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountFacts, type AccountRoleFacts, accountPart, isUserOfAccount, rolePart } from './accounts'
import { bundleFor, loadForReaders } from './readers'
import { loadStatuses, type StatusBundle } from './statuses'
import { hasSubject, type NotificationSubjects, reported, subjectParts, subjectsOf } from './subjects'

/** A notification with the account that caused it, and with its subject if that is not a status. */
export interface NotificationFacts extends NotificationSubjects {
  readonly notification: typeof notifications.$inferSelect
  readonly sender: AccountFacts
  readonly role: AccountRoleFacts | null
}

/** A page of notifications with their subjects. */
export interface NotificationBundle {
  /** Newest first; those whose subject is deleted or not visible to the viewer are left out. */
  readonly notifications: readonly NotificationFacts[]
  /** Every id selected, filtered ones included, so that the next page starts after them. */
  readonly cursors: readonly number[]
  readonly statuses: StatusBundle
}

/**
 * Loads the notifications that `selection` answers as whole rows, in one round trip.
 *
 * Senders and subjects are joined to their notifications: every further statement would have to run the
 * selection again.
 */
export function loadNotifications(ctx: Ctx, viewer: ViewerRef, selection: SQL): Query<NotificationBundle> {
  const subjects = sql`select page.status_id as id, max(page.id) as cursor from (${selection}) as page
    where page.status_id is not null group by page.status_id`
  const found = both(loadFacts(ctx, selection), loadStatuses(ctx, viewer, subjects))
  return map(found, ([all, statuses]) => bundleOf(all, statuses))
}

/** `loadNotifications` for a page that may end early: its cursors lead on from there. */
export function loadNotificationPage(
  ctx: Ctx,
  viewer: ViewerRef,
  page: PageWithSubjects,
): Query<NotificationBundle> {
  const found = both(loadFacts(ctx, page.rows), loadStatuses(ctx, viewer, page.subjects))
  return map(found, ([all, statuses]) => {
    const bundle = bundleOf(all, statuses)
    const cursors = [...new Set([...bundle.cursors, ...statuses.cursors])].toSorted((a, b) => b - a)
    return { ...bundle, cursors }
  })
}

/**
 * Loads the notifications of several recipients from the whole rows that `selection` answers, by recipient.
 * Does not load filters.
 */
export function loadNotificationsOfMany(
  ctx: Ctx,
  selection: SQL,
): Query<ReadonlyMap<AccountId, NotificationBundle>> {
  const subjects = sql`select page.status_id as id, page.account_id as viewer_id from (${selection}) as page
    where page.status_id is not null`
  return map(both(loadFacts(ctx, selection), loadForReaders(ctx, subjects)), ([all, statuses]) => {
    const owners = Map.groupBy(all, ({ notification }) => notification.accountId)
    return new Map([...owners].map(([owner, own]) => [owner, bundleOf(own, bundleFor(statuses, owner))]))
  })
}

function loadFacts(ctx: Ctx, selection: SQL): Query<NotificationFacts[]> {
  return map(rows(selectNotifications(ctx.db, { page: selection })), (found) =>
    found.map(({ row: { notification, sender, role, ...subjects } }) => ({
      notification,
      sender,
      role,
      ...subjectsOf(notification.type, subjects),
    })),
  )
}

const rowOfPage = jsonParts({
  notification: jsonPart(getTableColumns(notifications)),
  sender: accountPart,
  role: rolePart,
  ...subjectParts,
})

const selectNotifications = prepared(['page'], (db, { page }) =>
  db
    .select({ row: rowOfPage.as('row') })
    .from(sql`(${page}) as notifications`)
    // Cross joins keep their order: left to choose, SQLite may scan all accounts.
    .crossJoin(accounts)
    .leftJoin(users, isUserOfAccount)
    .leftJoin(roles, sql`${roles.id} = ${users.roleId}`)
    .leftJoin(reports, reported.isReport)
    .leftJoin(reported.target, reported.isTarget)
    .where(sql`${accounts.id} = ${notifications.fromAccountId}`),
)

/** Leaves out notifications whose subject is deleted or not visible to the viewer. */
function bundleOf(found: readonly NotificationFacts[], statuses: StatusBundle): NotificationBundle {
  const visible = new Set(statuses.ids)
  const facts = found.toSorted((a, b) => b.notification.id - a.notification.id)
  return {
    notifications: facts.filter(
      ({ notification: { type, statusId }, ...subjects }) =>
        (statusId === null || visible.has(statusId)) && hasSubject(type, subjects),
    ),
    cursors: facts.map(({ notification }) => notification.id),
    statuses,
  }
}
