import { eq, sql } from 'drizzle-orm'
import { execute, first, orNotFound } from '../../db/query'
import { tags } from '../../db/schema'
import { Conflict, Invalid } from '../../errors'
import { normaliseHashtag } from '../../lib/hashtag'
import type { TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission } from '../policy/permissions'

/** Changes of a hashtag by a moderator; an absent field keeps its value. */
export interface TagPatch {
  /** The spelling shown: the same name but for the case of letters. */
  readonly displayName?: string | undefined
  /** Whether search finds it. */
  readonly listable?: boolean | undefined
  /** Whether it may trend. */
  readonly trendable?: boolean | undefined
  /** Whether statuses are found by it. */
  readonly usable?: boolean | undefined
}

/**
 * Changes a hashtag and counts as its review, with an entry in the audit log. `NotFound` for an unknown one, `Invalid`
 * for a spelling of another name, `Conflict` where another moderator changed it meanwhile.
 */
export async function updateTag(
  ctx: Ctx,
  moderator: Moderator,
  { id, patch }: { readonly id: TagId; readonly patch: TagPatch },
): Promise<void> {
  requirePermission(moderator, 'manageTaxonomies')
  const tag = await execute(ctx.db, orNotFound(first(ctx.db.select().from(tags).where(eq(tags.id, id)))))
  const { displayName, listable, trendable, usable } = tag
  const before = { displayName, listable, trendable, usable }
  const after = {
    displayName: patch.displayName ?? displayName,
    listable: patch.listable ?? listable,
    trendable: patch.trendable ?? trendable,
    usable: patch.usable ?? usable,
  }
  if (after.displayName !== displayName && normaliseHashtag(after.displayName) !== tag.name)
    throw new Invalid('other_name', { field: 'display_name' })
  const unchanged = sql`exists (select 1 from tags where id = ${id}
    and display_name = ${displayName} and listable = ${Number(listable)}
    and usable = ${Number(usable)} and trendable is ${trendable === null ? null : Number(trendable)})`
  const changes = new Changes().require(unchanged, new Conflict('hashtag_changed')).add(
    ctx.db
      .update(tags)
      .set({ ...after, reviewedAt: ctx.clock.now() })
      .where(eq(tags.id, id)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: { type: 'tag', id, label: displayName },
    ...changedValues(before, after),
  })
  await commit(ctx, changes)
}
