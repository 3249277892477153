import { eq, sql } from 'drizzle-orm'
import { execute, first, jsonRows, limitTo, orNotFound } from '../../db/query'
import { accounts, archiveImports, featuredTags } from '../../db/schema'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requireRankAbove } from '../policy/permissions'
import { isStanding } from '../statuses/archived/find-imported'
import { findImportById } from '../statuses/archived/find-imports'
import type { PurgeableStatus } from './find-purgeable'
import { countedOf, purgeStatuses } from './purge-statuses'

/**
 * Removes an import for good: nothing more of its actor is imported by the account, and a job deletes the statuses that are
 * there. One that is removed already is left as it is. `NotFound`, and `Forbidden` for a role that does not stand below.
 */
export async function removeImport(ctx: Ctx, moderator: Moderator, id: number): Promise<void> {
  const found = await execute(ctx.db, orNotFound(findImportById(ctx, id)))
  if (found.removedAt !== null) return
  const removedAt = ctx.clock.now()
  const changes = new Changes()
    .require(isStanding(id), new Conflict('archive_import_deleted'))
    .add(ctx.db.update(archiveImports).set({ removedAt }).where(eq(archiveImports.id, id)))
    .enqueue({ kind: 'remove-archive-import', importId: id })
  recordAudit(ctx, requireRankAbove(changes, moderator, found.accountId), moderator, {
    action: 'delete',
    target: { type: 'archive_import', id, label: found.username },
    before: { actor: found.actorUri, statuses: found.imported },
  })
  await commit(ctx, changes)
}

/** Deletes the next statuses of a removed import; a job continues. Runs may repeat. */
export async function continueImportRemoval(ctx: Ctx, id: number): Promise<void> {
  const found = await execute(ctx.db, findImportById(ctx, id))
  if (found === null || found.removedAt === null) return
  const { accountId } = found
  const where = (count: number) => sql`id in (select status_id from imported_statuses
    where account_id = ${accountId} and import_id = ${id} order by status_id ${limitTo(count)})`
  const selection = { account: accountId, where, isWhole: false }
  const purged = await purgeStatuses(ctx, selection, (changes, part) => {
    uncount(ctx, changes, accountId, part)
  })
  if (purged?.isLast !== true) {
    await ctx.jobs.send({ kind: 'remove-archive-import', importId: id })
    return
  }
  const isEmpty = sql`id = ${id} and not exists (select 1 from imported_statuses i
    where i.account_id = ${accountId} and i.import_id = ${id})`
  await commit(
    ctx,
    new Changes().add(ctx.db.update(archiveImports).set({ imported: 0, openCount: 0 }).where(isEmpty)),
  )
}

/** Lowers what the author of the statuses counts by them. */
function uncount(ctx: Ctx, changes: Changes, author: AccountId, part: readonly PurgeableStatus[]): void {
  const counted = countedOf(part)
  if (counted.length === 0) return
  changes.add(
    ctx.db
      .update(accounts)
      .set({ statusesCount: sql`max(0, statuses_count - ${counted.length})` })
      .where(eq(accounts.id, author)),
  )
  const uses = counted.flatMap(({ visibility, tags }) => (visibility === 'private' ? [] : tags))
  if (uses.length === 0) return
  changes.add(
    ctx.db.run(sql`update ${featuredTags} set statuses_count = max(0, statuses_count - less.count)
      from (select t.id as tag, count(*) as count
        from ${jsonRows(uses)} cross join tags t on t.name = item.value group by t.id) less
      where featured_tags.account_id = ${author} and featured_tags.tag_id = less.tag`),
  )
}

/** Condition: the removal of some import has not ended. */
export const hasUnfinishedImportRemovals = () =>
  sql`exists (select 1 from archive_imports where removed_at is not null and imported > 0)`

/** Cron: restarts the longest-running removal, in case its job was lost. */
export async function resumeImportRemoval(ctx: Ctx): Promise<void> {
  const oldest = ctx.db
    .select({ id: archiveImports.id })
    .from(archiveImports)
    .where(sql`removed_at is not null and imported > 0`)
    .orderBy(archiveImports.removedAt)
    .limit(1)
  const found = await execute(ctx.db, first(oldest))
  if (found !== null) await ctx.jobs.send({ kind: 'remove-archive-import', importId: found.id })
}
