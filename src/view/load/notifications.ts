import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import type { NotificationSubject } from '../../contract/notification-kind'
import {
  type NotificationType,
  notificationKind,
  typeLiterals,
  typesAbout,
} from '../../contract/notification-kinds'
import { jsonPart, jsonParts, listIn, optionalJsonPart } from '../../db/json-row'
import { prepared } from '../../db/prepared'
import { both, map, type PageWithSubjects, type Query, rows } from '../../db/query'
import { accounts, notifications, reports, roles, users } from '../../db/schema'
import { warningActions } from '../../db/schema/reports'
import type { ViewerRef } from '../../domain/core/viewer'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AccountFacts, type AccountRoleFacts, accountPart, isUserOfAccount, rolePart } from './accounts'
import { type CollectionFacts, collectionsIn } from './collections'
import { bundleFor, loadForReaders } from './readers'
import { loadStatuses, type StatusBundle } from './statuses'

/** Subjects of notifications that are not statuses, each as a part beside the notification. */

/** Relationships an account lost by an event between servers. */
export type SeveranceFacts = z.infer<typeof Severance>
/** A moderation warning to the recipient. */
export type WarningFacts = z.infer<typeof Warning>
/** A report with its target. */
export interface ReportFacts {
  readonly report: typeof reports.$inferSelect
  readonly target: AccountFacts
}

interface NotificationSubjects {
  readonly severance: SeveranceFacts | null
  readonly warning: WarningFacts | null
  readonly report: ReportFacts | null
  readonly collection: CollectionFacts | null
}

const At = z.number().transform((milliseconds) => new Date(milliseconds))
const Severance = z
  .tuple([
    z.number(),
    z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
    z.string(),
    z.number(),
    z.number(),
    At,
    z.number(),
  ])
  .transform(([id, type, target, followersCount, followingCount, createdAt, kept]) => ({
    id,
    type,
    target,
    followersCount,
    followingCount,
    createdAt,
    purged: kept === 0,
  }))
const Appeal = z
  .tuple([z.string(), z.number().nullable(), z.number().nullable()])
  .transform(([text, approvedAt, rejectedAt]) => ({ text, approvedAt, rejectedAt }))
const Warning = z
  .tuple([
    z.number(),
    z.enum(warningActions),
    z.string(),
    z.array(z.number()).nullable(),
    At,
    Appeal.nullable(),
  ])
  .transform(([id, action, text, statusIds, createdAt, appeal]) => ({
    id,
    action,
    text,
    statusIds,
    createdAt,
    appeal,
  }))

const target = alias(accounts, 'reported')
const {
  note: _note,
  publicKey: _publicKey,
  alsoKnownAs: _aliases,
  ...targetColumns
} = getTableColumns(target)

const about = (subject: NotificationSubject) => sql.raw(typeLiterals(typesAbout(subject)))

/** Left joins of a notification select that add reports and their targets. */
const reported = {
  target,
  isReport: sql`${reports.id} = case when notifications.type in (${about('report')}) then notifications.subject_id end`,
  isTarget: sql`${target.id} = ${reports.targetAccountId}`,
}

/** Parts by name, as `subjectsOf` reads them. The row is called `notifications`. */
const subjectParts = {
  told: {
    cell: sql`case when notifications.type in (${about('severance')}) then (
      select json_array(e.id, e.type, e.target, lost.followers_count, lost.following_count, e.created_at,
        exists (select 1 from severed_follows kept where kept.event_id = e.id and kept.account_id = lost.account_id))
      from account_severances lost cross join severance_events e on e.id = lost.event_id
      where lost.event_id = notifications.subject_id and lost.account_id = notifications.account_id)
    when notifications.type in (${about('warning')}) then (
      select json_array(w.id, w.action, w.text, json(w.status_ids), w.created_at,
        (select json_array(p.text, p.approved_at, p.rejected_at) from appeals p where p.strike_id = w.id))
      from account_warnings w where w.id = notifications.subject_id) end`,
    read: (parsed: unknown) => (parsed === null ? null : listIn(parsed)),
  },
  collections: collectionsIn(
    `(case when notifications.type in (${typeLiterals(typesAbout('collection'))})
      then json_array(notifications.subject_id)
      when notifications.type in (${typeLiterals(typesAbout('collection-item'))}) then (
        select json_array(i.collection_id) from collection_items i
        where i.id = notifications.subject_id) else '[]' end)`,
    'notifications.account_id',
  ),
  report: optionalJsonPart(getTableColumns(reports)),
  target: optionalJsonPart(targetColumns),
}

/**
 * Whether the subject of such a notification still exists. Types not listed have a status as subject, or only a
 * sender.
 */
function hasSubject(type: NotificationType, subjects: NotificationSubjects): boolean {
  switch (notificationKind(type).subject) {
    case 'report':
      return subjects.report !== null
    case 'severance':
      return subjects.severance !== null
    case 'warning':
      return subjects.warning !== null
    case 'collection-item':
    case 'collection':
      return subjects.collection !== null
    default:
      return true
  }
}

/** Decodes the subject columns of a row; null throughout if the subject is a status or absent. */
function subjectsOf(
  type: NotificationType,
  row: {
    readonly told: readonly unknown[] | null
    readonly collections: readonly CollectionFacts[] | null
    readonly report: ReportFacts['report'] | null
    readonly target: AccountFacts | null
  },
): NotificationSubjects {
  const { subject } = notificationKind(type)
  const { told } = row
  const [collection = null] = row.collections ?? []
  return {
    severance: told !== null && subject === 'severance' ? Severance.parse(told) : null,
    warning: told !== null && subject === 'warning' ? Warning.parse(told) : null,
    report: row.report === null || row.target === null ? null : { report: row.report, target: row.target },
    collection,
  }
}

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
