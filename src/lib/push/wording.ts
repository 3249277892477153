import { type PushLanguage, pushLanguages } from '../notifications/kind'
import { type NotificationType, notificationKind } from '../notifications/kinds'

const otherTitles: Readonly<Record<PushLanguage, string>> = {
  en: 'There is a new notification',
  de: 'Es gibt eine neue Benachrichtigung',
  es: 'Hay una nueva notificación',
  fr: 'Il y a une nouvelle notification',
}

/** Title of a push message in the language of `locale`, in English where that has no translation. */
export function pushTitle(locale: string, type: NotificationType, name: string): string {
  const wanted = locale.split(/[-_]/)[0]?.toLowerCase()
  const language = pushLanguages.find((known) => known === wanted) ?? 'en'
  const title = (notificationKind(type).pushTitle ?? otherTitles)[language]
  // `split`, because names may contain replacement patterns such as `$&`.
  return title.split('#').join(name)
}
