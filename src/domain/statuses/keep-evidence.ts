import { type SQL, sql } from 'drizzle-orm'
import { inList, jsonRows } from '../../db/query'
import { evidenceFiles, moderationEvidence } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/** Report or strike of the evidence. `reportId` beside a strike: statuses deleted since are copied from that report. */
export type EvidenceOwner = (
  | { readonly strikeId?: never; readonly reportId: number }
  | { readonly strikeId: number; readonly reportId?: number | null }
) & {
  /** Of a remote account, whose pictures a job copies. */
  readonly isRemote?: boolean
}

/** Days for which files of evidence stay, at least, once nothing waits for a decision. */
export const evidenceFileDays = 30

/**
 * Adds snapshots of statuses, as they are when the batch runs: to be called before what deletes them. Only moderators
 * and, of a strike, its target read them. The caller has checked that the statuses may be named.
 *
 * Local files that the snapshots show are kept when the statuses are deleted (`deleteFiles`); pictures of remote ones are
 * copied (`copy-evidence`).
 */
export function keepEvidence(
  ctx: Ctx,
  changes: Changes,
  { strikeId, reportId = null, isRemote = false }: EvidenceOwner,
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
  if (strikeId !== undefined && reportId !== null)
    changes.add(
      ctx.db.run(sql`insert into ${moderationEvidence} ${columns}
        select ${owner}, e.status_id, e.snapshot, ${now}
        from ${jsonRows(statusIds)} cross join moderation_evidence e
        where e.report_id = ${reportId} and e.status_id = item.value on conflict do nothing`),
    )
  const isOwn = strikeId === undefined ? sql`e.report_id = ${reportId}` : sql`e.strike_id = ${strikeId}`
  if (isRemote)
    changes.enqueue({
      kind: 'copy-evidence',
      reportId: strikeId === undefined ? reportId : null,
      strikeId: strikeId ?? null,
      from: 0,
    })
  changes.add(keepFiles(ctx, sql`${isOwn} and ${inList(sql`e.status_id`, statusIds)}`))
}

/** Statement that stores the local files of the evidence `e`. */
function keepFiles(ctx: Ctx, condition: SQL) {
  const checkAt = ctx.clock.now().getTime() + evidenceFileDays * dayMilliseconds
  return ctx.db.run(sql`insert into ${evidenceFiles} (file_key, evidence_id, check_at)
    select file.value, e.id, ${checkAt}
    from moderation_evidence e cross join json_each(e.snapshot, '$.attachments') attached
      cross join json_each(json_array(attached.value ->> '$.file.key', attached.value ->> '$.file.still',
        attached.value ->> '$.preview.key')) file
    where ${condition} and file.value is not null on conflict do nothing`)
}

/** `StatusSnapshot` of the status `s` with its poll `p`. */
const snapshot =
  sql.raw(`json_object('accountId', s.account_id, 'username', (select username from accounts a where a.id = s.account_id),
  'uri', s.uri, 'url', s.url,
  'visibility', s.visibility, 'content', s.content, 'spoilerText', s.spoiler_text, 'sensitive', s.sensitive,
  'language', s.language, 'inReplyToId', s.in_reply_to_id, 'attachments', json(s.attachments),
  'pollOptions', json(p.options), 'createdAt', s.created_at, 'editedAt', s.edited_at)`)
