import { and, eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { tagFollows, tags } from '../../db/schema'
import { normaliseHashtag } from '../../lib/hashtag'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { followedTag } from './find'

/**
 * Makes the viewer follow a hashtag; an unknown one is created as they wrote it. Idempotent. Emits `tag.followed`:
 * its latest statuses enter the home feed.
 */
export async function followTag(ctx: Ctx, viewer: Pick<Viewer, 'id'>, written: string): Promise<void> {
  const name = normaliseHashtag(written)
  const createdAt = ctx.clock.now()
  const followId = ctx.ids.next()
  const changes = new Changes()
    .add(
      ctx.db
        .insert(tags)
        .values({ id: ctx.ids.next(), name, displayName: written, createdAt })
        .onConflictDoNothing({ target: tags.name }),
      ctx.db.run(sql`insert into ${tagFollows} (id, account_id, tag_id, created_at)
        select ${followId}, ${viewer.id}, t.id, ${createdAt.getTime()} from tags t where t.name = ${name}
        on conflict (tag_id, account_id) do nothing`),
    )
    // If it was followed already, the event's id does not exist and its effects do nothing.
    .emit({ kind: 'tag.followed', accountId: viewer.id, followId })
  await commit(ctx, changes)
}

/**
 * Unfollows a hashtag; one not followed is no error. Emits `tag.unfollowed`: statuses in the home feed because of it
 * alone are removed.
 */
export async function unfollowTag(ctx: Ctx, viewer: Pick<Viewer, 'id'>, written: string): Promise<void> {
  const tagId = await execute(ctx.db, followedTag(ctx, viewer.id, normaliseHashtag(written)))
  if (tagId === null) return
  const changes = new Changes()
    .add(
      ctx.db.delete(tagFollows).where(and(eq(tagFollows.tagId, tagId), eq(tagFollows.accountId, viewer.id))),
    )
    .emit({ kind: 'tag.unfollowed', accountId: viewer.id, tagId })
  await commit(ctx, changes)
}
