import type { Config } from '../../config'
import type { CustomEmoji } from '../../contract/entities/custom-emoji'
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
