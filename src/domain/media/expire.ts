import { and, asc, lte, sql } from 'drizzle-orm'
import { execute, inList, rows } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { deleteFiles } from './delete-files'
import { fileKeysOf, isUnattached } from './find'

const removedPerRun = 50

/**
 * Cron: deletes uploads that stayed unattached for a day, oldest first, and then their files.
 *
 * Enqueues `delete-files`. When one of them is attached at the very moment, nothing is deleted until the next run.
 */
export async function pruneUnattachedMedia(ctx: Ctx): Promise<void> {
  const { createdAt, id } = mediaAttachments
  const before = new Date(ctx.clock.now().getTime() - dayMilliseconds)
  const found = await execute(
    ctx.db,
    rows(
      ctx.db
        .select()
        .from(mediaAttachments)
        .where(and(isUnattached, lte(createdAt, before)))
        .orderBy(asc(createdAt))
        .limit(removedPerRun),
    ),
  )
  if (found.length === 0) return
  const these = inList(
    id,
    found.map((row) => row.id),
  )
  const changes = new Changes()
    .require(
      sql`not exists (select 1 from ${mediaAttachments} where ${these} and not ${isUnattached})`,
      new Conflict('upload_posted'),
    )
    .add(ctx.db.delete(mediaAttachments).where(these))
  deleteFiles(changes, found.flatMap(fileKeysOf))
  await commit(ctx, changes)
}
