import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { tagFollows, tags } from '../../db/schema'
import type { AccountId, TagId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'

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

/** The normalised name of the hashtag with this id. One statement. */
export function tagName(ctx: Ctx, id: TagId): Query<string | null> {
  const found = first(ctx.db.select({ name: tags.name }).from(tags).where(sql`${tags.id} = ${id}`))
  return map(found, (row) => row?.name ?? null)
}

/** The hashtag of this normalised name, if `account` follows it. One statement. */
export function followedTag(ctx: Ctx, account: AccountId, name: string): Query<TagId | null> {
  const found = first(
    ctx.db
      .select({ id: tagFollows.tagId })
      .from(tagFollows)
      .where(
        sql`${tagFollows.tagId} = (select t.id from tags t where t.name = ${name})
          and ${tagFollows.accountId} = ${account}`,
      ),
  )
  return map(found, (row) => row?.id ?? null)
}
