import { getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { listIn, optionalJsonPart } from '../../db/json-row'
import { accounts, reports } from '../../db/schema'
import { warningActions } from '../../db/schema/reports'
import type { NotificationSubject } from '../../lib/notifications/kind'
import {
  type NotificationType,
  notificationKind,
  typeLiterals,
  typesAbout,
} from '../../lib/notifications/kinds'
import type { AccountFacts } from './accounts'
import { type CollectionFacts, collectionsIn } from './collections'

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

export interface NotificationSubjects {
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
export const reported = {
  target,
  isReport: sql`${reports.id} = case when notifications.type in (${about('report')}) then notifications.subject_id end`,
  isTarget: sql`${target.id} = ${reports.targetAccountId}`,
}

/** Parts by name, as `subjectsOf` reads them. The row is called `notifications`. */
export const subjectParts = {
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
export function hasSubject(type: NotificationType, subjects: NotificationSubjects): boolean {
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
export function subjectsOf(
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
