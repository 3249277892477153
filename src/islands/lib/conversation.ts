import { changeCount } from './badge'
import { idIn } from './live-socket'
import { find } from './page'
import type { Reader } from './reader'
import { fetchPage } from './swap'

/** Distance from the end of the page, in pixels, within which the reader is at its end. */
const nearEnd = 120

/** Keeps an open conversation up to date: marks it as read once it is seen, and puts in new messages as they come. */
export function keepConversation(reader: Reader): void {
  const talk = document.querySelector('.talk[data-conversation]')
  if (!(talk instanceof HTMLElement)) return
  const id = talk.dataset['conversation'] ?? ''
  whenSeen(() => void markRead(reader, id))
  document.addEventListener('conversation', async (event) => {
    const isOlderPage = location.search !== ''
    if (isOlderPage || !(event instanceof CustomEvent) || idIn(event.detail) !== id) return
    const found = await fetchPage(location.pathname)
    if (found === null || found.status >= 400) return
    const { scrollHeight } = document.documentElement
    const isAtEnd = window.scrollY + window.innerHeight >= scrollHeight - nearEnd
    talk.replaceChildren(...find(found.page, '.talk', HTMLElement).childNodes)
    if (isAtEnd) window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
    whenSeen(() => void reader.call(`/api/v1/conversations/${id}/read`, { method: 'POST' }))
  })
}

/** Runs `go` now, or once the page is no longer hidden. */
function whenSeen(go: () => void): void {
  if (!document.hidden) go()
  else document.addEventListener('visibilitychange', go, { once: true })
}

/** Marks the conversation as read as its button does, and takes it off the count of the navigation. */
async function markRead(reader: Reader, id: string): Promise<void> {
  const form = document.querySelector(`form[data-mark-read="${id}"]`)
  if (form === null) return
  if ((await reader.call(`/api/v1/conversations/${id}/read`, { method: 'POST' })) === null) return
  form.remove()
  changeCount(reader, '/conversations', -1)
}
