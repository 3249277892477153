import type { Config } from '../../config'
import { acctOf, statusUrl, tagUrl } from '../../contract/addresses'
import type { Announcement } from '../../contract/entities/announcement'
import type { AnnouncementFacts } from '../load/announcements'
import { presentEmoji, presentReaction } from './emoji'
import { timestamp, timestampOrNull } from './time'

/** Payload of the stream event for a changed reaction count; count 0 once the last one is removed. */
export function presentReactionEvent(config: Config, facts: AnnouncementFacts, name: string) {
  const reaction = facts.reactions.find((kind) => kind.name === name) ?? { name, count: 0 }
  return { ...presentReaction(config, reaction, null), announcement_id: String(facts.id) }
}

/** Presents an announcement for its reader. */
export function presentAnnouncement(config: Config, facts: AnnouncementFacts): Announcement {
  return {
    id: String(facts.id),
    content: facts.content,
    starts_at: timestampOrNull(facts.startsAt),
    ends_at: timestampOrNull(facts.endsAt),
    all_day: facts.allDay,
    published_at: timestampOrNull(facts.publishedAt),
    updated_at: timestamp(facts.updatedAt),
    read: facts.read,
    mentions: facts.mentions.map((account) => ({
      id: String(account.id),
      username: account.username,
      url: account.url,
      acct: acctOf(account),
    })),
    statuses: facts.statuses.map(({ id, uri, url, username }) => ({
      id: String(id),
      url: url ?? uri ?? statusUrl(config.origin, username, id),
    })),
    tags: facts.tags.map(({ name }) => ({ name, url: tagUrl(config.origin, name) })),
    emojis: facts.emojis.map((emoji) => presentEmoji(config, emoji, null)),
    reactions: facts.reactions.map((reaction) => presentReaction(config, reaction, facts.ownReactions)),
  }
}
