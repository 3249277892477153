import type { Config } from '../../config'
import type {
  AdminAnnouncement,
  AdminCustomEmoji,
  AdminRule,
  Setting,
} from '../../contract/entities/admin/instance'
import type { announcements, customEmojis, rules } from '../../db/schema'
import { presentCustomEmoji } from './emoji'
import { timestamp, timestampOrNull } from './time'

export function presentAdminAnnouncement(
  row: typeof announcements.$inferSelect,
  state: AdminAnnouncement['state'],
): AdminAnnouncement {
  return {
    id: String(row.id),
    text: row.text,
    content: row.content,
    state,
    starts_at: timestampOrNull(row.startsAt),
    ends_at: timestampOrNull(row.endsAt),
    all_day: row.allDay,
    published_at: timestampOrNull(row.publishedAt),
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  }
}

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

export function presentAdminRule(rule: typeof rules.$inferSelect): AdminRule {
  const { id, position, text, hint, translations } = rule
  return { id: String(id), text, hint, translations, position }
}

/** A setting with its value, default and last change. */
export interface SettingFacts extends Omit<Setting, 'choices' | 'updated_at'> {
  readonly choices: readonly string[]
  readonly updatedAt: Date | null
}

export function presentSetting({ updatedAt, ...setting }: SettingFacts): Setting {
  return { ...setting, choices: [...setting.choices], updated_at: timestampOrNull(updatedAt) }
}
