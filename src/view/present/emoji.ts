import type { Config } from '../../config'
import type { CustomEmoji } from '../../contract/entities/custom-emoji'
import type { customEmojis } from '../../db/schema'
import type { EmojiSnapshot } from '../../db/values'
import { fileUrl, stillUrl } from '../urls'

/** A custom emoji as it was when the text naming it was written. */
export function presentEmoji(config: Config, emoji: EmojiSnapshot): CustomEmoji {
  return {
    shortcode: emoji.shortcode,
    url: fileUrl(config, emoji.image),
    static_url: stillUrl(config, emoji.image),
    visible_in_picker: true,
  }
}

/** A custom emoji of this server, with its category where it has one. */
export function presentCustomEmoji(config: Config, emoji: typeof customEmojis.$inferSelect): CustomEmoji {
  const { shortcode, image, still, category } = emoji
  return {
    shortcode,
    url: fileUrl(config, image),
    static_url: still === null ? stillUrl(config, image) : fileUrl(config, still),
    visible_in_picker: emoji.visibleInPicker,
    ...(category === null ? {} : { category }),
  }
}
