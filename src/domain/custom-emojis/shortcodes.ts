import { sql } from 'drizzle-orm'
import { inList, jsonRows, map, type Query, rows } from '../../db/query'
import { customEmojis, emojiUses } from '../../db/schema'
import type { EmojiUseKind } from '../../db/schema/instance'
import type { EmojiSnapshot, FileRef } from '../../db/values'
import type { Ctx } from '../../ports/ctx'

/** The shortcodes that are enabled local emojis, as stored with a text. One statement. */
export function emojisByShortcodes(ctx: Ctx, shortcodes: readonly string[]): Query<EmojiSnapshot[]> {
  const { shortcode, image, still, domain, disabled } = customEmojis
  const found = rows(
    ctx.db
      .select({ shortcode, image, still })
      .from(customEmojis)
      // Verbatim the unique index's expression, so that the index is used.
      .where(sql`${inList(shortcode, shortcodes)} and coalesce(${domain}, '') = '' and ${disabled} = 0`),
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

/**
 * Statements that record the shortcodes a local text names, for when an emoji is added, deleted or disabled
 * (`refresh-emoji`). A row for each shortcode.
 */
export function recordEmojiUses(
  ctx: Ctx,
  { kind, id }: { readonly kind: EmojiUseKind; readonly id: number },
  shortcodes: readonly string[],
) {
  if (shortcodes.length === 0) return []
  return [
    ctx.db.run(sql`insert into ${emojiUses} (shortcode, kind, subject_id)
      select item.value, ${kind}, ${id} from ${jsonRows(shortcodes)} where true on conflict do nothing`),
  ]
}
