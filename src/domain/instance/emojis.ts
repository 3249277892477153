import { asc, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { type Query, rows } from '../../db/query'
import { customEmojis } from '../../db/schema'

/** The custom emojis people of this server may pick from, in the order of their shortcodes. */
export function pickableEmojis(ctx: Ctx): Query<(typeof customEmojis.$inferSelect)[]> {
  const { domain, disabled, visibleInPicker, shortcode } = customEmojis
  return rows(
    ctx.db
      .select()
      .from(customEmojis)
      .where(sql`${isNull(domain)} and not ${disabled} and ${visibleInPicker}`)
      .orderBy(asc(shortcode)),
  )
}
