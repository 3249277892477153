import { callApi } from './api'
import { changeCount, unreadIn } from './badge'
import { entries, entryId, isInFullView } from './feed'
import { findAll } from './page'
import type { Reader } from './reader'
import { closeRead, showBadge } from './shown-notifications'

/** Milliseconds that a post is in view before it counts as read. */
const restFor = 1_000
const saveEvery = 5_000

/** Saves how far a timeline was read, as apps do: the newest post that was in full view for a second. */
export class Marker {
  readonly #reader: Reader
  readonly #list: HTMLElement
  readonly #timeline: string
  #saved: number
  #read: number
  #rest: ReturnType<typeof setTimeout> | undefined
  #save: ReturnType<typeof setTimeout> | undefined

  constructor(reader: Reader, feed: HTMLElement, timeline: string) {
    this.#reader = reader
    this.#list = feed
    this.#timeline = timeline
    this.#saved = Number(feed.dataset['read'] ?? 0)
    this.#read = this.#saved
    const wait = () => {
      clearTimeout(this.#rest)
      this.#rest = setTimeout(() => this.#look(), restFor)
    }
    window.addEventListener('scroll', wait, { passive: true })
    window.addEventListener('pagehide', () => void this.#store(true))
    wait()
  }

  #look(): void {
    if (document.hidden) return
    const height = window.innerHeight
    const seen = this.#items().filter(({ element }) => isInFullView(element.getBoundingClientRect(), height))
    this.#read = Math.max(this.#read, ...seen.map(({ id }) => id))
    if (this.#read === this.#saved || this.#save !== undefined) return
    this.#save = setTimeout(() => {
      this.#save = undefined
      void this.#store(false)
    }, saveEvery)
  }

  /** Entries of the list with their ids, newest first. */
  #items(): readonly { readonly element: HTMLElement; readonly id: number }[] {
    if (this.#timeline === 'home') return entries().map((element) => ({ element, id: entryId(element) }))
    const found = findAll(this.#list, '[data-entry]', HTMLElement)
    return found.map((element) => ({ element, id: Number(element.dataset['entry']) }))
  }

  /** Shows that notifications up to `read` are read: where those are all, the navigation and the icon count none. */
  #showRead(read: number): void {
    void closeRead(read)
    if ((this.#items()[0]?.id ?? 0) > read) return
    changeCount(this.#reader, '/notifications', -unreadIn('/notifications'))
    document.querySelector('[data-unread-form]')?.remove()
    void showBadge(0)
  }

  async #store(isLeaving: boolean): Promise<void> {
    if (this.#read <= this.#saved) return
    const read = this.#read
    this.#saved = read
    if (this.#timeline === 'notifications') this.#showRead(read)
    const body = { [this.#timeline]: { last_read_id: String(read) } }
    const call = { method: 'POST', body, keepalive: isLeaving } as const
    // Not worth a sentence: the next post that is read tries again.
    await callApi(this.#reader.csrfToken, '/api/v1/markers', call)
  }
}
