import { combineQueries, type Query } from '../../../db/query'
import type { ViewerRef } from '../../../domain/core/viewer'
import { type PendingRequests, pendingRequests } from '../../../domain/notifications/requests'
import type { Ctx } from '../../../ports/ctx'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'

/** Facts of the rows above a member's notifications. */
export interface TopFacts {
  readonly held: PendingRequests
}

/** Loads the rows above the newest notifications. */
export function topOf(ctx: Ctx, as: ViewerRef): Query<TopFacts> {
  return combineQueries({ held: pendingRequests(ctx, as) })
}

export interface NotificationTopProps {
  /** Senders whose notifications are held back. */
  readonly heldSenders: number
}

/** Decisions that wait above the newest notifications; nothing where none does. */
export function NotificationTop({ heldSenders }: NotificationTopProps) {
  return heldSenders > 0 ? <Held count={heldSenders} /> : null
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
