import { callApi } from './api'
import { articlesOf, keepingPlace } from './feed'
import { type Reader, reasonOf } from './reader'

/** Deletes a post of the reader six seconds after it is gone from the page, so that it can be undone. */
export function deleteWithUndo(reader: Reader): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-delete]') : null
    const { delete: id } = link instanceof HTMLElement ? link.dataset : {}
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
    const articles = articlesOf(id).filter((one) => !one.matches('.focus'))
    // On its own page there is nothing left to read: the page that asks leads on from there.
    if (articles.length === 0) return
    event.preventDefault()
    link?.closest('details')?.removeAttribute('open')
    const show = (isHidden: boolean) =>
      keepingPlace(() => {
        for (const article of articles) article.hidden = isHidden
      })
    show(true)
    const { word, toasts, csrfToken } = reader
    toasts.show({
      text: word('deleted'),
      action: { label: word('undo'), run: () => show(false) },
      onEnd: async () => {
        const call = { method: 'DELETE', keepalive: true } as const
        const answer = await callApi(csrfToken, `/api/v1/statuses/${id}`, call)
        const status = answer?.status ?? 0
        if (status === 200 || status === 404) {
          for (const article of articles) article.remove()
          return
        }
        show(false)
        toasts.show({ text: word(status === 0 ? 'offline' : reasonOf(status)) })
      },
    })
  })
}
