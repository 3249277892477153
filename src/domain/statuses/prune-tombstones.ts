import { and, eq, lt } from 'drizzle-orm'
import { execute, map, rows } from '../../db/query'
import { tombstones } from '../../db/schema'
import { inList } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

const retentionDays = 30
const batchSize = 500

/**
 * Cron: deletes a batch of tombstones that only suppressed late copies. Earlier releases left one for each
 * remotely deleted status; tombstones served to readers stay.
 */
export async function pruneTombstones(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - retentionDays * dayMilliseconds)
  const old = ctx.db
    .select({ uri: tombstones.uri })
    .from(tombstones)
    .where(and(eq(tombstones.published, false), lt(tombstones.deletedAt, before)))
    .limit(batchSize)
  const uris = await execute(
    ctx.db,
    map(rows(old), (found) => found.map(({ uri }) => uri)),
  )
  if (uris.length > 0)
    await commit(ctx, new Changes().add(ctx.db.delete(tombstones).where(inList(tombstones.uri, uris))))
}
