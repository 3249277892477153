import type { Config } from '../../../config'
import { combineQueries, type Query } from '../../../db/query'
import { isUnread } from '../../../domain/announcements/find'
import type { ViewerRef } from '../../../domain/core/viewer'
import { type PendingRequests, pendingRequests } from '../../../domain/notifications/requests'
import { countFollowRequests } from '../../../domain/relationships/requests'
import type { Ctx } from '../../../ports/ctx'
import { type AnnouncementFacts, loadAnnouncements } from '../../../view/load/announcements'
import { presentAnnouncement } from '../../../view/present/announcement'
import { Icon, type IconName } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Announcements } from '../../posts/announcement'
import { type AnnouncementView, announcementView } from '../../posts/announcement-view'

/** Facts of the rows above a member's notifications. */
export interface TopFacts {
  readonly held: PendingRequests
  readonly unread: readonly AnnouncementFacts[]
  readonly followRequests: number
}

/** Loads the rows above the newest notifications. */
export function topOf(ctx: Ctx, as: ViewerRef): Query<TopFacts> {
  return combineQueries({
    held: pendingRequests(ctx, as),
    unread: loadAnnouncements(ctx, as, isUnread(as, ctx.clock.now())),
    followRequests: countFollowRequests(ctx, as),
  })
}

export interface NotificationTopProps {
  /** Senders whose notifications are held back. */
  readonly heldSenders: number
  /** Announcements that the member has not dismissed. */
  readonly announcements: readonly AnnouncementView[]
  /** People who ask to follow the member. */
  readonly followRequests: number
}

/** Decisions that wait above the newest notifications; nothing where none does. */
export function NotificationTop({ heldSenders, announcements, followRequests }: NotificationTopProps) {
  const t = useTranslation()
  return (
    <>
      <Announcements announcements={announcements} />
      {followRequests > 0 && (
        <Waiting
          icon="user-plus"
          href={paths.followRequests}
          words={t('client.peopleAskToFollowYou', { count: followRequests })}
        />
      )}
      {heldSenders > 0 && (
        <Waiting
          icon="funnel"
          href={paths.filteredNotifications}
          words={t('client.filteredNotificationsFrom', { count: heldSenders })}
        />
      )}
    </>
  )
}

/** The rows of what was loaded. */
export function topView(config: Config, { held, unread, followRequests }: TopFacts): NotificationTopProps {
  return {
    heldSenders: held.requests,
    followRequests,
    announcements: unread.map((facts) => announcementView(presentAnnouncement(config, facts))),
  }
}

interface WaitingProps {
  readonly icon: IconName
  readonly href: string
  readonly words: string
}

/** A row that leads to what waits for a decision. */
function Waiting({ icon, href, words }: WaitingProps) {
  return (
    <ul class="rows">
      <li>
        <a class="row-link" href={href}>
          <Icon name={icon} />
          <span class="names">{words}</span>
          <Icon name="chevron-right" />
        </a>
      </li>
    </ul>
  )
}
