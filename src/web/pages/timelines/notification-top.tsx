import type { Config } from '../../../config'
import { combineQueries, type Query } from '../../../db/query'
import { isUnread } from '../../../domain/announcements/find'
import type { ViewerRef } from '../../../domain/core/viewer'
import { type PendingRequests, pendingRequests } from '../../../domain/notifications/requests'
import type { Ctx } from '../../../ports/ctx'
import { type AnnouncementFacts, loadAnnouncements } from '../../../view/load/announcements'
import { presentAnnouncement } from '../../../view/present/announcement'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Announcements } from '../../posts/announcement'
import { type AnnouncementView, announcementView } from '../../posts/announcement-view'

/** Facts of the rows above a member's notifications. */
export interface TopFacts {
  readonly held: PendingRequests
  readonly unread: readonly AnnouncementFacts[]
}

/** Loads the rows above the newest notifications. */
export function topOf(ctx: Ctx, as: ViewerRef): Query<TopFacts> {
  return combineQueries({
    held: pendingRequests(ctx, as),
    unread: loadAnnouncements(ctx, as, isUnread(as, ctx.clock.now())),
  })
}

export interface NotificationTopProps {
  /** Senders whose notifications are held back. */
  readonly heldSenders: number
  /** Announcements that the member has not dismissed. */
  readonly announcements: readonly AnnouncementView[]
}

/** Decisions that wait above the newest notifications; nothing where none does. */
export function NotificationTop({ heldSenders, announcements }: NotificationTopProps) {
  return (
    <>
      <Announcements announcements={announcements} />
      {heldSenders > 0 && <Held count={heldSenders} />}
    </>
  )
}

/** The rows of what was loaded. */
export function topView(config: Config, { held, unread }: TopFacts): NotificationTopProps {
  return {
    heldSenders: held.requests,
    announcements: unread.map((facts) => announcementView(presentAnnouncement(config, facts))),
  }
}

function Held({ count }: { readonly count: number }) {
  const t = useTranslation()
  return (
    <ul class="rows">
      <li>
        <a class="row-link" href={paths.filteredNotifications}>
          <Icon name="funnel" />
          <span class="names">{t('client.filteredNotificationsFrom', { count })}</span>
          <Icon name="chevron-right" />
        </a>
      </li>
    </ul>
  )
}
