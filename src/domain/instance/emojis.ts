import * as z from 'zod'
import type { Query } from '../../db/query'
import type { customEmojis } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { readCachedList } from '../core/cached-lists'

const still = z.string().exactOptional()
const File = z.union([z.object({ key: z.string(), still }), z.object({ remote: z.string(), still })])
const Emoji = z
  .object({ shortcode: z.string(), image: File, still: File.nullable(), category: z.string().nullable() })
  .transform((emoji) => ({ ...emoji, visibleInPicker: true }))

/** Local custom emoji as shown to everyone. */
type PickableEmoji = Pick<
  typeof customEmojis.$inferSelect,
  'shortcode' | 'image' | 'still' | 'category' | 'visibleInPicker'
>

/** Custom emojis that local users may pick from, ordered by shortcode. */
export function pickableEmojis(ctx: Ctx): Query<readonly PickableEmoji[]> {
  return readCachedList(ctx, 'emojis', Emoji)
}
