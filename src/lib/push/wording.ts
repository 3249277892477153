import { type NotificationType, notificationKind } from '../notifications/kinds'
import type { TranslateText } from '../translate'

/** Title of a push message about a notification from a sender with this name. */
export function pushTitle(t: TranslateText, type: NotificationType, name: string): string {
  const { pushTitle: title } = notificationKind(type)
  return title === null ? t('There is a new notification') : t(title, { name })
}
