import { eq, sql } from 'drizzle-orm'
import { execute, rows } from '../../../db/query'
import { accountArchives } from '../../../db/schema'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { isActiveAccount } from '../../policy/account-visibility'
import { archiveMilliseconds } from './request-archive'

/** Time without progress after which a step has lost its message. */
const restMilliseconds = 15 * 60_000
const archivesAtOnce = 4
const filesAtOnce = 1_000

function isOver(ctx: Ctx) {
  const before = ctx.clock.now().getTime() - archiveMilliseconds
  return sql`(coalesce(ready_at, created_at) < ${before} or not ${isActiveAccount('account_archives.account_id')})`
}

function hasStalled(ctx: Ctx) {
  return sql`(ready_at is null and progressed_at < ${ctx.clock.now().getTime() - restMilliseconds})`
}

/** Condition: an archive is over, or has stalled. There are few: one a week for an account. */
export const hasDueArchives = (ctx: Ctx) =>
  sql`exists (select 1 from account_archives where ${isOver(ctx)} or ${hasStalled(ctx)})`

/** Cron: deletes archives seven days after they were ready, and those of suspended owners; resumes stalled ones. */
export async function maintainArchives(ctx: Ctx): Promise<void> {
  const due = await execute(
    ctx.db,
    rows(
      ctx.db
        .select({
          id: accountArchives.id,
          folder: accountArchives.folder,
          step: accountArchives.step,
          isOver: sql<boolean>`${isOver(ctx)}`.mapWith(Boolean).as('is_over'),
        })
        .from(accountArchives)
        .where(sql`${isOver(ctx)} or ${hasStalled(ctx)}`)
        .limit(archivesAtOnce),
    ),
  )
  const changes = new Changes()
  for (const archive of due) {
    const isRow = eq(accountArchives.id, archive.id)
    if (!archive.isOver)
      changes
        .add(ctx.db.update(accountArchives).set({ progressedAt: ctx.clock.now() }).where(isRow))
        .enqueue({ kind: 'build-archive', archiveId: archive.id, step: archive.step })
    else if (await deleteFolder(ctx, archive.folder)) changes.add(ctx.db.delete(accountArchives).where(isRow))
  }
  if (due.length > 0) await commit(ctx, changes)
}

/** Deletes the next files of an archive; true where none is left. */
async function deleteFolder(ctx: Ctx, folder: string): Promise<boolean> {
  const files = await ctx.files.list(`${folder}/`, '', filesAtOnce)
  if (files.length > 0) await ctx.files.delete(files.map(({ key }) => key))
  return files.length < filesAtOnce
}

/** Deletes what an archive was made of, once it is ready. */
export async function deletePieces(ctx: Ctx, folder: string): Promise<void> {
  const pieces = await ctx.files.list(`${folder}/pieces/`, '', filesAtOnce)
  if (pieces.length > 0) await ctx.files.delete(pieces.map(({ key }) => key))
}
