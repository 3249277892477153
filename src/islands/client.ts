// Pages of members: acts at once, new posts as they come, shortcuts, and the place one reads at. Without it each act is a
// form, each page a link.
import { watchActiveAccount } from './lib/active-account'
import { Acts } from './lib/acts'
import { keepAges } from './lib/ages'
import { unreadIn } from './lib/badge'
import { keepConversation } from './lib/conversation'
import { copyAndShare } from './lib/copy'
import { deleteWithUndo } from './lib/deletion'
import { Keyboard } from './lib/keyboard'
import { loadOpened } from './lib/later'
import { Live } from './lib/live'
import { forgetSentDraft } from './lib/local-drafts'
import { Marker } from './lib/marker'
import { followReplies } from './lib/missing-replies'
import { keepOfflinePage } from './lib/offline-worker'
import { readerOf } from './lib/reader'
import { loadGaps, loadOlderAhead, restorePlace } from './lib/reading-place'
import { keepSearches } from './lib/recent-searches'
import { markFresh } from './lib/seen-threads'
import { closeRead, showBadge } from './lib/shown-notifications'
import { swapForms } from './lib/swap'
import { openPictures } from './lib/viewer'

const notificationsPath = '/notifications'
const reader = readerOf(document)
const composer = document.querySelector('form[data-context]')
forgetSentDraft(composer instanceof HTMLElement ? composer.dataset['context'] : undefined)
if (reader !== null) {
  watchActiveAccount(reader)
  const isQuick = composer instanceof HTMLFormElement && composer.dataset['quick'] !== undefined
  if (composer instanceof HTMLFormElement && !isQuick) {
    // Most pages have none.
    const { enhanceComposer } = await import('./lib/composer')
    enhanceComposer(reader, composer)
  }
  const acts = new Acts(reader)
  swapForms(reader)
  deleteWithUndo(reader)
  keepAges(reader.language)
  keepConversation(reader)
  openPictures()
  loadOpened()
  keepSearches()
  copyAndShare(reader)
  followReplies(reader)
  markFresh()
  const unread = unreadIn(notificationsPath)
  void showBadge(unread)
  // Read on this page, or on another device.
  const isAllRead = unread === 0 || location.pathname === notificationsPath
  void closeRead(isAllRead ? Number.POSITIVE_INFINITY : 0)
  const isBack = await restorePlace()
  const feed = document.querySelector('[data-timeline]')
  if (feed instanceof HTMLElement) {
    const divider = feed.matches('.feed') ? feed.querySelector('.seen') : null
    // Home opens where one stopped; what is new stands above.
    if (!isBack && location.hash === '') divider?.scrollIntoView({ block: 'start', behavior: 'instant' })
    new Marker(reader, feed, feed.dataset['timeline'] ?? '')
  }
  const live = new Live(reader)
  new Keyboard({ reader, acts, live })
  if (composer instanceof HTMLFormElement && isQuick) {
    const { enhanceQuickComposer } = await import('./lib/quick-composer')
    enhanceQuickComposer(reader, composer, () => live.showSent())
  }
  loadOlderAhead()
  loadGaps(reader)
  // For the time without a connection. The browser asks for nothing, and keeps no page of the member.
  await keepOfflinePage()
}
