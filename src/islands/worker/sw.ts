// Service worker of this server: shows what is pushed to this browser, and opens the page it is about. It answers no requests and
// keeps no pages: what members read stays out of caches.
import { readPushed } from '../lib/pushed'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', () => void self.skipWaiting())

self.addEventListener('push', (event) => event.waitUntil(show(event.data)))

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

/** Shows a message. Browsers ask that each one is shown, whatever is in it. */
async function show(sent: PushMessageData | null): Promise<void> {
  const { title, ...options } = readPushed(sent?.text() ?? '', self.location.hostname)
  await self.registration.showNotification(title, options)
  const waiting = await self.registration.getNotifications()
  if ('setAppBadge' in self.navigator) await self.navigator.setAppBadge(waiting.length)
}

/** Brings a window with the page to the front, or opens one: others may hold a text being written. */
async function open(about: unknown): Promise<void> {
  const wanted = new URL(pathIn(about), self.location.origin)
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const found = windows.find(({ url }) => new URL(url).pathname === wanted.pathname)
  await (found === undefined ? self.clients.openWindow(wanted.href) : found.focus())
}

function pathIn(about: unknown): string {
  const isNamed = typeof about === 'object' && about !== null && 'path' in about
  return isNamed && typeof about.path === 'string' ? about.path : '/notifications'
}
