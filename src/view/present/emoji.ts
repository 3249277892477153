import type { Config } from '../../config'
import type { CustomEmoji, Reaction } from '../../contract/entities/custom-emoji'
import type { customEmojis } from '../../db/schema'
import type { EmojiSnapshot, ReactionCount } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import { fileUrl, staticUrl } from '../urls'

/** Presents a custom emoji as stored with the text naming it; `owner` is the author of that text. */
export function presentEmoji(config: Config, emoji: EmojiSnapshot, owner: AccountId | null): CustomEmoji {
  return {
    shortcode: emoji.shortcode,
    url: fileUrl(config, emoji.image, owner),
    static_url: staticUrl(config, emoji.image, owner),
    visible_in_picker: true,
  }
}

type PickableEmoji = Pick<
  typeof customEmojis.$inferSelect,
  'shortcode' | 'image' | 'still' | 'category' | 'visibleInPicker'
>

/** Presents a local custom emoji, with its category if any. */
export function presentCustomEmoji(config: Config, emoji: PickableEmoji): CustomEmoji {
  const { shortcode, image, still, category } = emoji
  return {
    shortcode,
    url: fileUrl(config, image, null),
    static_url: still === null ? staticUrl(config, image, null) : fileUrl(config, still, null),
    visible_in_picker: emoji.visibleInPicker,
    ...(category === null ? {} : { category }),
  }
}

/** Presents one emoji reaction and its count; `own` lists those of the viewer, null for anonymous readers. */
export function presentReaction(
  config: Config,
  { name, count, emoji = null }: ReactionCount,
  own: readonly string[] | null,
): Reaction {
  return {
    name,
    count,
    ...(own === null ? {} : { me: own.includes(name) }),
    ...(emoji === null
      ? {}
      : { url: fileUrl(config, emoji.image, null), static_url: staticUrl(config, emoji.image, null) }),
  }
}
