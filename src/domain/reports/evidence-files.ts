import { eq, sql } from 'drizzle-orm'
import { execute, first, limitTo, map, type Query, rows } from '../../db/query'
import { evidenceFiles, moderationEvidence } from '../../db/schema'
import type { Attachment } from '../../db/values'
import { dayMilliseconds } from '../../lib/days'
import type { MediaId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { copyKey, type StoredFile } from '../../ports/files'
import { Changes, commit } from '../core/changes'
import { evidenceKey, withheldKey } from '../media/pictures'
import { evidenceFileDays } from '../statuses/keep-evidence'

/** A file that evidence shows: the attachment of a snapshot, or the smaller picture of it. */
export interface EvidenceFileRef {
  readonly evidenceId: number
  readonly mediaId: MediaId
  readonly small: boolean
}

/** Key of a kept file in the media store; null for one that is unknown, not kept or removed. One statement. */
export function findEvidenceFile(
  ctx: Ctx,
  { evidenceId, mediaId, small }: EvidenceFileRef,
): Query<string | null> {
  const found = first(
    ctx.db
      .select({ snapshot: moderationEvidence.snapshot, kept: keptKeys.as('kept') })
      .from(moderationEvidence)
      .where(eq(moderationEvidence.id, evidenceId)),
  )
  return map(found, (row) => {
    const shown = row?.snapshot.attachments.find(({ id }) => id === mediaId)
    if (row === null || shown === undefined) return null
    return keysOf(shown, small).find((key) => row.kept.includes(JSON.stringify(key))) ?? null
  })
}

/** Keys under which a file, or the smaller picture of it, may be kept. */
function keysOf({ id, type, file, preview }: Attachment, small: boolean): readonly string[] {
  if ('key' in file) return [small && preview !== null && 'key' in preview ? preview.key : file.key]
  if (!small) return [copyKey(id)]
  // Pictures are copied without their previews.
  return type === 'image' ? [copyKey(id)] : [copyKey(id, 'small')]
}

const keptKeys = sql<string>`(select json_group_array(file_key) from evidence_files where evidence_id = ${moderationEvidence.id})`

/** Opens a kept file, wherever it lies: evidence alone, shown by its status, or withheld with a suspended account. */
export async function openEvidenceFile(ctx: Ctx, key: string): Promise<StoredFile | null> {
  for (const place of [evidenceKey(key), key, withheldKey(key)]) {
    const file = await ctx.files.get(place)
    if (file !== null) return file
  }
  return null
}

const checkedPerRun = 20

/** Condition: it is time to look whether files of evidence are still waited for. */
export const hasDueEvidenceFiles = ({ clock }: Ctx) =>
  sql`exists (select 1 from evidence_files where check_at <= ${clock.now().getTime()})`

/**
 * Cron: stops keeping files of evidence that nothing waits for any longer. A report keeps them until 30 days after it was
 * resolved; a strike for 30 days, or until its appeal is decided. The text of the evidence stays.
 */
export async function pruneEvidenceFiles(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now().getTime()
  const due = await execute(ctx.db, findDue(ctx, now))
  if (due.length === 0) return
  const pairs = JSON.stringify(due.filter(({ until }) => until <= now).map(({ key, id }) => [key, id]))
  const later = JSON.stringify(
    due.filter(({ until }) => until > now).map((one) => [one.key, one.id, one.until]),
  )
  const gone = [...new Set(due.filter(({ until }) => until <= now).map(({ key }) => key))]
  const changes = new Changes().add(
    ctx.db.run(sql`delete from ${evidenceFiles} where (file_key, evidence_id) in (
      select value ->> 0, value ->> 1 from json_each(${pairs}))`),
    ctx.db.run(sql`update ${evidenceFiles} set check_at = due.value ->> 2 from json_each(${later}) due
      where file_key = due.value ->> 0 and evidence_id = due.value ->> 1`),
  )
  for (const key of gone)
    changes.enqueueWhere(sql`not exists (select 1 from evidence_files where file_key = ${key})`, {
      kind: 'delete-files',
      keys: [evidenceKey(key)],
    })
  await commit(ctx, changes)
}

interface Due {
  readonly key: string
  readonly id: number
  /** Time until which the file is kept, or is not looked at again. */
  readonly until: number
}

function findDue(ctx: Ctx, now: number): Query<readonly Due[]> {
  const kept = evidenceFileDays * dayMilliseconds
  // Open reports and appeals are looked at again after as long a time.
  const ofReport = sql`select iif(r.action_taken_at is null, ${now + kept}, r.action_taken_at + ${kept})
    from reports r where r.id = e.report_id`
  const ofStrike = sql`select iif(exists (select 1 from appeals p where p.strike_id = w.id
      and p.approved_at is null and p.rejected_at is null), ${now + kept}, w.created_at + ${kept})
    from account_warnings w where w.id = e.strike_id`
  return rows(
    ctx.db
      .select({
        key: sql<string>`f.file_key`.as('key'),
        id: sql<number>`f.evidence_id`.as('evidence_id'),
        until: sql<number>`coalesce((${ofReport}), (${ofStrike}), 0)`.as('until'),
      })
      .from(
        sql`(select * from evidence_files where check_at <= ${now} order by check_at ${limitTo(checkedPerRun)}) f
          left join moderation_evidence e on e.id = f.evidence_id`,
      ),
  )
}
