import type { Config } from '../../config'
import type { AdminCustomEmoji } from '../../contract/entities/admin/custom-emoji'
import type { customEmojis } from '../../db/schema'
import { presentCustomEmoji } from './emoji'
import { timestamp } from './time'

export function presentAdminCustomEmoji(
  config: Config,
  emoji: typeof customEmojis.$inferSelect,
): AdminCustomEmoji {
  return {
    ...presentCustomEmoji(config, emoji),
    id: String(emoji.id),
    category: emoji.category,
    disabled: emoji.disabled,
    created_at: timestamp(emoji.createdAt),
  }
}
