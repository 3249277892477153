import { sql } from 'drizzle-orm'
import { moderationEvidence } from '../../db/schema'
import { jsonRows } from '../../db/sql'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'

/** Report or strike of the evidence. `reportId` beside a strike: statuses deleted since are copied from that report. */
export type EvidenceOwner =
  | { readonly strikeId?: never; readonly reportId: number }
  | { readonly strikeId: number; readonly reportId?: number | null }

/**
 * Adds snapshots of statuses, as they are when the batch runs: to be called before what deletes them. Only moderators
 * and, of a strike, its target read them. The caller has checked that the statuses may be named.
 */
export function keepEvidence(
  ctx: Ctx,
  changes: Changes,
  { strikeId, reportId = null }: EvidenceOwner,
  statusIds: readonly StatusId[],
): void {
  if (statusIds.length === 0) return
  const now = ctx.clock.now().getTime()
  const owner = strikeId === undefined ? sql`${reportId}, null` : sql`null, ${strikeId}`
  // A repeated delivery stores no second report.
  const isStored =
    strikeId === undefined ? sql`exists (select 1 from reports where id = ${reportId})` : sql`true`
  const columns = sql`(report_id, strike_id, status_id, snapshot, created_at)`
  changes.add(
    ctx.db.run(sql`insert into ${moderationEvidence} ${columns}
      select ${owner}, s.id, ${snapshot}, ${now}
      from ${jsonRows(statusIds)} cross join statuses s on s.id = item.value left join polls p on p.id = s.poll_id
      where ${isStored} on conflict do nothing`),
  )
  if (strikeId === undefined || reportId === null) return
  changes.add(
    ctx.db.run(sql`insert into ${moderationEvidence} ${columns}
      select ${owner}, e.status_id, e.snapshot, ${now}
      from ${jsonRows(statusIds)} cross join moderation_evidence e
      where e.report_id = ${reportId} and e.status_id = item.value on conflict do nothing`),
  )
}

/** `StatusSnapshot` of the status `s` with its poll `p`. */
const snapshot =
  sql.raw(`json_object('accountId', s.account_id, 'username', (select username from accounts a where a.id = s.account_id),
  'uri', s.uri, 'url', s.url,
  'visibility', s.visibility, 'content', s.content, 'spoilerText', s.spoiler_text, 'sensitive', s.sensitive,
  'language', s.language, 'inReplyToId', s.in_reply_to_id, 'attachments', json(s.attachments),
  'pollOptions', json(p.options), 'createdAt', s.created_at, 'editedAt', s.edited_at)`)
