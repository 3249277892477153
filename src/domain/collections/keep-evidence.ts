import { type SQL, sql } from 'drizzle-orm'
import { jsonRows } from '../../db/query'
import { collectionEvidence } from '../../db/schema'
import type { CollectionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'

/** Report or strike of the evidence. `reportId` beside a strike: collections deleted since are copied from that report. */
export type CollectionEvidenceOwner =
  | { readonly strikeId?: never; readonly reportId: number }
  | { readonly strikeId: number; readonly reportId: number | null }

/**
 * Adds snapshots of collections, as they are when the batch runs: to be called before what deletes them. Only moderators
 * and, of a strike, its target read them. The caller has checked that the collections may be named.
 */
export function keepCollectionEvidence(
  ctx: Ctx,
  changes: Changes,
  { strikeId, reportId }: CollectionEvidenceOwner,
  collectionIds: readonly CollectionId[],
): void {
  if (collectionIds.length === 0) return
  const now = ctx.clock.now().getTime()
  const owner = strikeId === undefined ? sql`${reportId}, null` : sql`null, ${strikeId}`
  // A repeated delivery stores no second report.
  const isStored =
    strikeId === undefined ? sql`exists (select 1 from reports where id = ${reportId})` : sql`true`
  const add = (snapshotOf: SQL, source: SQL) =>
    changes.add(
      ctx.db.run(sql`insert into ${collectionEvidence} (report_id, strike_id, collection_id, snapshot, created_at)
        select ${owner}, item.value, ${snapshotOf}, ${now} from ${jsonRows(collectionIds)} ${source}
        on conflict do nothing`),
    )
  add(snapshot, sql`cross join collections c on c.id = item.value where ${isStored}`)
  if (strikeId !== undefined && reportId !== null)
    add(
      sql`e.snapshot`,
      sql`cross join collection_evidence e where e.report_id = ${reportId} and e.collection_id = item.value`,
    )
}

/** `CollectionSnapshot` of the collection `c`. */
const snapshot = sql.raw(`json_object('accountId', c.account_id,
  'username', (select username from accounts a where a.id = c.account_id), 'uri', c.uri, 'url', c.url, 'name', c.name,
  'description', c.description, 'sensitive', c.sensitive, 'tag', c.tag,
  'members', json((select json_group_array(a.username || coalesce('@' || a.domain, ''))
    from collection_items i cross join accounts a on a.id = i.account_id
    where i.collection_id = c.id and i.state in ('accepted', 'pending'))), 'createdAt', c.created_at)`)
