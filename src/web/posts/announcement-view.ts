import type { Announcement } from '../../contract/entities/announcement'
import { emojisOf, renderEmojis } from '../emojis'
import type { PostReaction } from './post-view'

/** An announcement as members read it. */
export interface AnnouncementView {
  readonly id: string
  /** Sanitised, with pictures of its emojis. */
  readonly html: string
  readonly publishedAt: Date | null
  readonly isRead: boolean
  readonly reactions: readonly PostReaction[]
}

/** The view of an announcement of the API. */
export function announcementView(announcement: Announcement): AnnouncementView {
  const { id, content, emojis, published_at: publishedAt, read = false, reactions } = announcement
  return {
    id,
    html: renderEmojis(content, emojisOf(emojis)),
    publishedAt: publishedAt === null ? null : new Date(publishedAt),
    isRead: read,
    reactions: reactions.map(({ name, count, me = false, url = null }) => ({
      name,
      count,
      isOwn: me,
      url,
    })),
  }
}
