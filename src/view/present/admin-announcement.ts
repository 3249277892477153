import type { AdminAnnouncement } from '../../contract/entities/admin/announcement'
import type { announcements } from '../../db/schema'
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
