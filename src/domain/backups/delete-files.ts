import { sql } from 'drizzle-orm'
import { backupParts, backups } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { backupKey } from '../../lib/backups'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { BackupRow } from './state'

/** Files and rows deleted by one run. */
const deletedAtOnce = 500

/** Deletes the next files of a backup that is not kept, and its rows once there are none. */
export async function deleteFilesOf(ctx: Ctx, { id, name }: BackupRow): Promise<void> {
  const listed = await ctx.files.list(backupKey(name, ''), '', deletedAtOnce)
  if (listed.length > 0) await ctx.files.delete(listed.map(({ key }) => key))
  const some = sql`number in (select number from backup_parts where backup_id = ${id} ${limitTo(deletedAtOnce)})`
  const changes = new Changes().add(ctx.db.delete(backupParts).where(sql`backup_id = ${id} and ${some}`))
  if (listed.length < deletedAtOnce)
    changes.add(
      ctx.db
        .delete(backups)
        .where(sql`id = ${id} and not exists (select 1 from backup_parts where backup_id = ${id})`),
    )
  await commit(ctx, changes)
}
