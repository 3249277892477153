import { isRead } from './pushed'

/** Closes the notifications of this browser that are read: those of this page, and those up to `readId`. */
export async function closeRead(readId: number): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  const shown = (await registration?.getNotifications()) ?? []
  const page = { path: location.pathname, readId }
  for (const notification of shown) if (isRead(notification.data, page)) notification.close()
}

/** Shows the number of unread notifications on the icon of the installed site, in its own window, where the browser can. */
export async function showBadge(count: number): Promise<void> {
  // Chromium without windows, of tests, ends a page that asks for a badge in a tab.
  if (!('setAppBadge' in navigator) || window.matchMedia('(display-mode: browser)').matches) return
  await (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count))
}
