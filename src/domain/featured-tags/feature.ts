import { and, eq, sql } from 'drizzle-orm'
import { accountLimits } from '../../contract/limits'
import { execute, orNotFound } from '../../db/query'
import { featuredTags, tags } from '../../db/schema'
import { Invalid } from '../../errors'
import { isValidHashtag, normaliseHashtag } from '../../lib/hashtag'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { ownFeaturedTag, ownFeaturedTagId, selectLatestTagUses } from './find'

/**
 * Features a hashtag on the viewer's profile, as they wrote it; a featured one stays as it is.
 *
 * A leading `#` is dropped. `Invalid` for an invalid hashtag, and when there are ten already. Emits `tag.featured`.
 */
export async function featureTag(ctx: Ctx, viewer: Pick<Viewer, 'id'>, text: string): Promise<string> {
  const written = text.trim().replace(/^#/, '')
  if (!isValidHashtag(written)) throw new Invalid('invalid_hashtag', { field: 'name' })
  const name = normaliseHashtag(written)
  const now = ctx.clock.now()
  const id = ctx.ids.next()
  const tag = sql`(select id from tags where name = ${name})`
  const otherCount = sql`select count(*) from featured_tags where account_id = ${viewer.id} and tag_id is not ${tag}`
  const changes = new Changes()
    .require(sql`(${otherCount}) < ${accountLimits.featuredTags}`, new Invalid('too_many_featured_tags'))
    .add(
      ctx.db
        .insert(tags)
        .values({ id: ctx.ids.next(), name, displayName: written, createdAt: now })
        .onConflictDoNothing({ target: tags.name }),
      ctx.db.run(sql`insert into ${featuredTags}
          (id, account_id, tag_id, name, statuses_count, last_status_at, counting_before, created_at)
        select ${id}, ${viewer.id}, ${tag}, ${written}, own.uses, own.last_at, own.next, ${now.getTime()}
        from (${selectLatestTagUses(viewer.id, tag)}) own
        where true on conflict (account_id, tag_id) do nothing`),
    )
    // If it was featured already, the event's id does not exist and its effects do nothing.
    .emit({ kind: 'tag.featured', accountId: viewer.id, featuredId: id })
  await commit(ctx, changes)
  return name
}

/**
 * Stops featuring a hashtag of the viewer by its name; one that is not featured is no error. Emits `tag.unfeatured`.
 */
export async function unfeatureTagNamed(ctx: Ctx, viewer: Pick<Viewer, 'id'>, text: string): Promise<void> {
  const id = await execute(ctx.db, ownFeaturedTagId(ctx, viewer.id, normaliseHashtag(text)))
  if (id !== null) await unfeatureTag(ctx, viewer, id)
}

/** Stops featuring a hashtag of the viewer. `NotFound` for another account's. Emits `tag.unfeatured`. */
export async function unfeatureTag(ctx: Ctx, viewer: Pick<Viewer, 'id'>, id: number): Promise<void> {
  const found = await execute(ctx.db, orNotFound(ownFeaturedTag(ctx, viewer.id, id)))
  const isOwn = and(eq(featuredTags.id, id), eq(featuredTags.accountId, viewer.id))
  const changes = new Changes()
    .add(ctx.db.delete(featuredTags).where(isOwn))
    .emit({ kind: 'tag.unfeatured', accountId: viewer.id, ...found })
  await commit(ctx, changes)
}
