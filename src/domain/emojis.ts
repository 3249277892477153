import { sql } from 'drizzle-orm'
import type { Ctx } from '../context'
import { map, type Query, rows } from '../db/query'
import { customEmojis } from '../db/schema'
import { isIn } from '../db/sql'
import type { EmojiSnapshot, FileRef } from '../db/values'

/** Those of the shortcodes that are emojis of this server in use, as a text keeps them. One statement. */
export function emojisNamed(ctx: Ctx, shortcodes: readonly string[]): Query<EmojiSnapshot[]> {
  const { shortcode, image, still, domain, disabled } = customEmojis
  const found = rows(
    ctx.db
      .select({ shortcode, image, still })
      .from(customEmojis)
      // Word for word as in the unique index, so that it is used.
      .where(sql`${isIn(shortcode, shortcodes)} and coalesce(${domain}, '') = '' and ${disabled} = 0`),
  )
  return map(found, (all) =>
    all.map((row) => ({ shortcode: row.shortcode, image: withStill(row.image, row.still) })),
  )
}

function withStill(image: FileRef, still: FileRef | null): FileRef {
  if (still === null) return image
  if ('key' in image) return 'key' in still ? { key: image.key, still: still.key } : image
  return 'remote' in still ? { remote: image.remote, still: still.remote } : image
}
