import { and, eq, type SQL, sql } from 'drizzle-orm'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { execute, first, map, type Query, rows } from '../../db/query'
import { tagFollows, tags } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId, TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Page, pageSql } from '../core/page'
import type { Viewer, ViewerRef } from '../core/viewer'

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

/** Limits of what a followed hashtag brings into the home feed. */
export interface TagFollowOptions {
  /** Until then nothing; null for no such time. */
  readonly snoozedUntil: Date | null
  /** The first post of each day alone. */
  readonly fewer: boolean
}

/**
 * Changes what a followed hashtag brings into the home feed. `NotFound` for one that is not followed. Emits `tag.changed`: statuses in
 * the home feed that are no longer wanted leave, and those that are wanted enter.
 */
export async function changeTagFollow(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  written: string,
  options: Partial<TagFollowOptions>,
): Promise<void> {
  const tagId = await execute(ctx.db, followedTag(ctx, viewer.id, normaliseHashtag(written)))
  if (tagId === null) throw new NotFound()
  const isIt = and(eq(tagFollows.tagId, tagId), eq(tagFollows.accountId, viewer.id))
  const changes = new Changes()
    .add(ctx.db.update(tagFollows).set(options).where(isIt))
    .emit({ kind: 'tag.changed', accountId: viewer.id, tagId })
  await commit(ctx, changes)
}

/** The limits of a hashtag that the viewer follows, by its normalised name; null for one that is not followed. One statement. */
export function tagFollowOf(ctx: Ctx, viewer: ViewerRef, name: string): Query<TagFollowOptions | null> {
  const { snoozedUntil, fewer, tagId, accountId } = tagFollows
  const now = ctx.clock.now()
  const found = ctx.db
    .select({ snoozedUntil, fewer })
    .from(tagFollows)
    .where(sql`${tagId} = (${idOfTag(name)}) and ${accountId} = ${viewer.id}`)
  return map(first(found), (row) => (row === null ? null : awakeOptions(row, now)))
}

/** The limits at `now`: without a snooze that is over. */
export function awakeOptions({ snoozedUntil, fewer }: TagFollowOptions, now: Date): TagFollowOptions {
  return { snoozedUntil: snoozedUntil !== null && snoozedUntil <= now ? null : snoozedUntil, fewer }
}

/** The hashtag of this normalised name as a selection (id, cursor). */
export function selectTag(name: string): SQL {
  return sql`select t.id as id, 0 as cursor from tags t where t.name = ${name}`
}

/** Hashtags the viewer follows, latest follow first, as rows (id, cursor); the cursor is the id of the follow. */
export function followedTags(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`tf.id`,
    (bounds) => sql`select tf.tag_id as id, tf.id as cursor from tag_follows tf
      where tf.account_id = ${viewer.id} and ${bounds}`,
  )
}

/** Names of the hashtags that the viewer followed last, newest first. One statement. */
export function followedTagNames(ctx: Ctx, viewer: ViewerRef, limit: number): Query<readonly string[]> {
  const found = ctx.db
    .select({ name: tags.name })
    .from(sql`(${followedTags(viewer, { limit })}) followed`)
    .innerJoin(tags, sql`${tags.id} = followed.id`)
  return map(rows(found), (list) => list.map(({ name }) => name))
}

/** The normalised name of the hashtag with this id. One statement. */
export function tagName(ctx: Ctx, id: TagId): Query<string | null> {
  const found = first(ctx.db.select({ name: tags.name }).from(tags).where(sql`${tags.id} = ${id}`))
  return map(found, (row) => row?.name ?? null)
}

/** The hashtag of this normalised name, if `account` follows it. One statement. */
function followedTag(ctx: Ctx, account: AccountId, name: string): Query<TagId | null> {
  const found = first(
    ctx.db
      .select({ id: tagFollows.tagId })
      .from(tagFollows)
      .where(sql`${tagFollows.tagId} = (${idOfTag(name)}) and ${tagFollows.accountId} = ${account}`),
  )
  return map(found, (row) => row?.id ?? null)
}

function idOfTag(name: string): SQL {
  return sql`select ${tags.id} from ${tags} where ${tags.name} = ${name}`
}
