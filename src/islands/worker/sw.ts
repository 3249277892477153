// Service worker of this server: shows what is pushed to this browser, opens the page it is about, and shows the public offline page
// where the network fails. It keeps that page and its files alone: what members read stays out of caches.
import { passOn, reach } from '../lib/api'
import { now } from '../lib/browser'
import { filesOfPage, pushFormIn } from '../lib/offline-page'
import { toText } from '../lib/passkey'
import { readPushed } from '../lib/pushed'

declare const self: ServiceWorkerGlobalScope

const offlinePath = '/offline'
const cacheName = 'offline'
const settingsPath = '/settings/push'
/** Milliseconds after which the offline page is fetched again. */
const keptFor = 86_400_000

self.addEventListener('install', (event) => {
  void self.skipWaiting()
  event.waitUntil(keepOfflinePage())
})

self.addEventListener('activate', (event) => event.waitUntil(self.registration.navigationPreload?.enable()))

self.addEventListener('fetch', (event) => {
  const { method, mode, destination } = event.request
  // Forms go their own way: a worker in between would hide which site sends them.
  if (method !== 'GET') return
  if (mode === 'navigate') event.respondWith(openPage(event))
  else if (isOffline && ofPage.has(destination))
    event.respondWith(fetchOr(event.request, () => caches.match(event.request)))
})

/** Kinds of files that the offline page has. */
const ofPage: ReadonlySet<string> = new Set(['style', 'script', 'image'])
/** Whether the last page could not be opened: its files are then the kept ones. */
let isOffline = false

self.addEventListener('pushsubscriptionchange', (event) => {
  if (event instanceof ExtendableEvent) event.waitUntil(renewSubscription())
})

/** The page as the network has it, else the offline page. */
async function openPage(event: FetchEvent): Promise<Response> {
  isOffline = false
  const kept = () => {
    isOffline = true
    return caches.match(offlinePath)
  }
  const page = await fetchOr(event.request, kept, () => event.preloadResponse)
  event.waitUntil(refreshOfflinePage())
  return page
}

/** The answer of the network, or of what goes before it; without one the kept answer. */
async function fetchOr(
  request: Request,
  kept: () => Promise<Response | undefined>,
  before: () => Promise<Response | undefined> = async () => undefined,
): Promise<Response> {
  try {
    return (await before()) ?? (await passOn(request))
  } catch (failure) {
    const answer = await kept()
    if (answer === undefined) throw failure
    return answer
  }
}

/** Keeps the offline page as a visitor gets it, with its files, in place of the one before. */
async function keepOfflinePage(): Promise<void> {
  const page = await reach(offlinePath, { credentials: 'omit', headers: { Accept: 'text/html' } })
  if (page === null || !page.ok) return
  const files = filesOfPage(await page.clone().text())
  await caches.delete(cacheName)
  const cache = await caches.open(cacheName)
  await Promise.all([
    cache.put(offlinePath, page),
    ...files.map(async (path) => {
      const file = await reach(path, { credentials: 'omit' })
      if (file?.ok === true) await cache.put(path, file)
    }),
  ])
}

async function refreshOfflinePage(): Promise<void> {
  const kept = await caches.match(offlinePath)
  const age = now() - Date.parse(kept?.headers.get('date') ?? '')
  if (!(age < keptFor)) await keepOfflinePage()
}

/** Tells the server the new address of this browser at its push service, by the form of the settings page. */
async function renewSubscription(): Promise<void> {
  const page = await reach(settingsPath, { headers: { Accept: 'text/html' } })
  const form = page?.ok === true ? pushFormIn(await page.text()) : null
  if (form === null) return
  const { pushManager } = self.registration
  const given = await pushManager.getSubscription()
  const subscription =
    given ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.key }))
  const key = (name: PushEncryptionKeyName) => toText(subscription.getKey(name) ?? new ArrayBuffer(0))
  const address = { endpoint: subscription.endpoint, p256dh: key('p256dh'), auth: key('auth') }
  const body = new URLSearchParams({ ...form.fields, ...address })
  await reach(`${settingsPath}/on`, { method: 'POST', body, headers: { Accept: 'text/html' } })
}

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
