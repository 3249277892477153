import { findAll } from './page'
import type { Reader } from './reader'

/** Copies addresses by rows of menus, and shares them where the browser can. */
export function copyAndShare(reader: Reader): void {
  if ('share' in navigator)
    for (const button of findAll(document, '[data-share]', HTMLElement)) button.hidden = false
  document.addEventListener('click', async (event) => {
    const row = event.target instanceof Element ? event.target.closest('[data-copy], [data-share]') : null
    if (!(row instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const { copy, share } = row.dataset
    event.preventDefault()
    row.closest('details')?.removeAttribute('open')
    try {
      if (share !== undefined) await navigator.share({ url: share })
      else {
        await navigator.clipboard.writeText(copy ?? '')
        reader.toasts.show({ text: reader.word('copied') })
      }
    } catch (failure) {
      // Refused, or closed by the reader: the link still leads where it says.
      if (!(failure instanceof DOMException)) throw failure
      if (row instanceof HTMLAnchorElement) location.assign(row.href)
    }
  })
}
