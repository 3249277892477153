import { pageAccount } from './page'
import type { Reader } from './reader'

const key = 'account'

/**
 * Tells the other windows of this browser which account is active, and the reader where another one is by now: when this window is
 * looked at again, and when Back shows a page as it was left.
 */
export function watchActiveAccount({ toasts, word }: Reader): void {
  const own = pageAccount()
  localStorage.setItem(key, own)
  const isOther = () => (localStorage.getItem(key) ?? own) !== own
  const tell = () => {
    if (!document.hidden && isOther())
      toasts.show({
        text: word('otherAccount'),
        action: { label: word('reload'), run: () => location.reload() },
      })
  }
  window.addEventListener('storage', (event) => {
    if (event.key === key) tell()
  })
  document.addEventListener('visibilitychange', tell)
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isOther()) location.reload()
  })
}
