import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { map, type Query, rows } from '../../db/query'
import { follows, tagFollows, tags } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { type Page, pageSql } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { awakeOptions, type TagFollowOptions } from '../tags/follow'

const [f, tf] = [alias(follows, 'f'), alias(tagFollows, 'tf')]

/** Accounts of which the viewer's home leaves something out, as rows (id, cursor): the latest follow first. */
export function quieterFollows(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`${f.id}`,
    (bounds) => sql`select ${f.targetAccountId} as id, ${f.id} as cursor
      from ${follows} f indexed by follows_quieter
      where ${f.accountId} = ${viewer.id} and ${bounds}
        and (${f.showReblogs} = 0 or ${f.showReplies} = 0 or ${f.fewer} = 1 or ${f.languages} is not null)`,
  )
}

/** A followed hashtag of which home leaves something out. */
export interface QuieterTag extends TagFollowOptions {
  readonly name: string
}

/** A page of them. Snoozes that are over are read, and left out: a page may be short. */
export interface QuieterTags {
  readonly tags: readonly QuieterTag[]
  /** Cursor of the next page; undefined at the end. */
  readonly last: number | undefined
}

/** Followed hashtags of which the viewer's home leaves something out: the latest follow first. */
export function quieterTags(ctx: Ctx, viewer: ViewerRef, page: Page): Query<QuieterTags> {
  const now = ctx.clock.now()
  const selection = pageSql(
    page,
    sql`${tf.id}`,
    (bounds) => sql`select ${tf.id} as id from ${tagFollows} tf indexed by tag_follows_quieter
      where ${tf.accountId} = ${viewer.id} and (${tf.fewer} = 1 or ${tf.snoozedUntil} is not null) and ${bounds}`,
  )
  const { id: cursor, snoozedUntil, fewer } = tagFollows
  const found = ctx.db
    .select({ name: tags.displayName, snoozedUntil, fewer, cursor })
    .from(sql`(${selection}) page`)
    .innerJoin(tagFollows, sql`${cursor} = page.id`)
    .innerJoin(tags, sql`${tags.id} = ${tagFollows.tagId}`)
    .orderBy(sql`page.id desc`)
  return map(rows(found), (list) => ({
    tags: list
      .map(({ name, ...options }) => ({ name, ...awakeOptions(options, now) }))
      .filter(({ snoozedUntil, fewer }) => snoozedUntil !== null || fewer),
    last: list.length < page.limit ? undefined : list.at(-1)?.cursor,
  }))
}
