import { articlesOf, entries, entryId, isOutOfSight, keepingPlace } from './feed'
import { type LiveEvent, LiveSocket } from './live-socket'
import { find } from './page'
import type { Reader } from './reader'
import { fetchPage } from './swap'

/** Milliseconds without a socket after which the timeline is asked each minute. */
const patience = 300_000
const pollEvery = 60_000
/** Posts that are put above the reader; of more the newest page is opened. */
const mostInserted = 40

/** As wide as a digit: a count of one digit takes the room of two, so that it does not move when it grows. */
const figureSpace = '\u2007'

/** Tells what happens elsewhere while a page is read. Nothing moves what one reads: new posts wait above for a press. */
export class Live {
  readonly #reader: Reader
  readonly #feed: HTMLElement | null
  readonly #socket: LiveSocket
  /** Posts that came since the page was read. */
  #waiting = 0
  #pill: HTMLAnchorElement | null = null

  constructor(reader: Reader) {
    this.#reader = reader
    const feed = document.querySelector('[data-stream]')
    this.#feed = feed instanceof HTMLElement ? feed : null
    const wanted: unknown = JSON.parse(this.#feed?.dataset['stream'] ?? 'null')
    const address = new URL('/api/v1/streaming?stream=user', location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const other = typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : []
    const named = Object.fromEntries(other.map(([name, value]) => [name, String(value)]))
    this.#socket = new LiveSocket({
      open: () => new WebSocket(address),
      streams: named['stream'] === undefined || named['stream'] === 'user' ? [] : [named],
      onEvent: (event) => this.#onEvent(event, named['stream'] ?? null),
      onReturn: () => void this.#poll(),
    })
    setInterval(() => {
      if (!document.hidden && this.#socket.lostFor > patience) void this.#poll()
    }, pollEvery)
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && this.#socket.lostFor > 0) void this.#poll()
    })
    window.addEventListener('scroll', () => this.#showPill(), { passive: true })
    this.#showPill()
  }

  #onEvent({ event, payload, stream }: LiveEvent, shown: string | null): void {
    if (event === 'delete') this.#remove(payload)
    if (event === 'notification') this.#countNotification()
    if (event === 'conversation') document.dispatchEvent(new CustomEvent(event, { detail: payload }))
    if (event === 'status.update') void this.#update(payload)
    if (event !== 'update' || shown === null || stream[0] !== shown) return
    this.#waiting += 1
    this.#showPill()
  }

  /** Posts above the first one in sight that were not read before, and those that wait. */
  #unread(): number {
    const divider = this.#feed?.querySelector('.seen') ?? null
    if (divider === null || window.scrollY < 8) return this.#waiting
    const above = entries().filter(
      (one) =>
        one.getBoundingClientRect().bottom <= 0 &&
        (one.compareDocumentPosition(divider) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    )
    return this.#waiting + above.length
  }

  #showPill(): void {
    const count = this.#unread()
    const { newest } = this.#feed?.dataset ?? {}
    if (newest === undefined) return
    if (count === 0) {
      this.#pill?.remove()
      this.#pill = null
      return
    }
    if (this.#pill === null) {
      const pill = document.createElement('a')
      pill.className = 'newer'
      pill.href = newest
      pill.append(document.createElement('span'))
      pill.addEventListener('click', (event) => {
        if (this.#waiting > mostInserted) return
        event.preventDefault()
        void this.goUp()
      })
      document.querySelector('.head .newer')?.remove()
      // Before the tools at the end of the head, which then stay in their places.
      document.querySelector('.head > .tabs, .head > h1:not(.hidden)')?.after(pill)
      this.#pill = pill
    }
    const number = new Intl.NumberFormat(this.#reader.language).format(count)
    const text = `↑ ${this.#reader.word('newPosts')} (${number})${count < 10 ? figureSpace : ''}`
    const words = find(this.#pill, 'span', HTMLElement)
    if (words.textContent !== text) words.textContent = text
  }

  /** Puts in what waits, above the reader, and leads to the top. */
  async goUp(): Promise<void> {
    if (this.#waiting > 0 && !(await this.#insert())) return
    window.scrollTo({ top: 0 })
    const [first] = entries()
    first?.setAttribute('tabindex', '-1')
    first?.focus({ preventScroll: true })
    this.#showPill()
  }

  /** Fetches the posts above the newest one, and puts them in without moving what is in sight. */
  async #insert(): Promise<boolean> {
    const { newest } = this.#feed?.dataset ?? {}
    const [first] = entries()
    if (this.#feed === null || newest === undefined) return false
    if (first === undefined) {
      location.assign(newest)
      return false
    }
    const found = await fetchPage(`${newest}${newest.includes('?') ? '&' : '?'}min_id=${entryId(first)}`)
    if (found === null || found.status >= 400) {
      this.#reader.toasts.show({ text: this.#reader.word('offline') })
      return false
    }
    const known = new Set(entries().map(({ id }) => id))
    const fresh = entries(found.page).filter(({ id }) => !known.has(id))
    keepingPlace(() => this.#feed?.prepend(...fresh.map((one) => document.adoptNode(one))))
    this.#waiting = Math.max(0, fresh.length < 20 ? 0 : this.#waiting - fresh.length)
    return true
  }

  /** Counts what came while there was no connection. */
  async #poll(): Promise<void> {
    const { newest } = this.#feed?.dataset ?? {}
    const [first] = entries()
    if (newest === undefined || first === undefined) return
    const found = await fetchPage(`${newest}${newest.includes('?') ? '&' : '?'}min_id=${entryId(first)}`)
    if (found === null || found.status >= 400) return
    this.#waiting = Math.max(this.#waiting, entries(found.page).length)
    this.#showPill()
  }

  #remove(postId: string): void {
    for (const article of articlesOf(postId)) this.fold(article, this.#reader.word('deletedByAuthor'))
  }

  /** Takes an article away: at once where nobody sees it, by a line in its place where somebody reads. */
  fold(article: HTMLElement, words: string): void {
    if (isOutOfSight(article.getBoundingClientRect(), window.innerHeight)) {
      keepingPlace(() => article.remove())
      return
    }
    const line = document.createElement('p')
    line.className = 'seen'
    line.textContent = words
    article.replaceChildren(line)
  }

  /** Shows an edited post anew, if nobody is reading it or its height stays. */
  async #update(payload: string): Promise<void> {
    const status: unknown = JSON.parse(payload)
    const id = typeof status === 'object' && status !== null && 'id' in status ? String(status.id) : ''
    const articles = articlesOf(id)
    if (articles.length === 0) return
    const found = await fetchPage(`/posts/${id}`)
    const body = found?.page.querySelector('.post .body')
    if (body === null || body === undefined) return
    for (const article of articles) {
      const old = article.querySelector('.body')
      if (old === null) continue
      const fresh = document.importNode(body, true)
      const before = article.getBoundingClientRect()
      const isUnseen = isOutOfSight(before, window.innerHeight)
      if (isUnseen) keepingPlace(() => old.replaceWith(fresh))
      else {
        old.replaceWith(fresh)
        if (article.getBoundingClientRect().height !== before.height) fresh.replaceWith(old)
      }
    }
  }

  /** Counts a notification in the navigation; on the page of notifications it waits above. */
  #countNotification(): void {
    for (const link of document.querySelectorAll('a[href="/notifications"]')) {
      const count = link.querySelector('.count')
      if (count === null) {
        if (link.closest('.nav, .bar') === null) continue
        const fresh = document.createElement('span')
        fresh.className = 'count'
        fresh.textContent = new Intl.NumberFormat(this.#reader.language).format(1)
        link.append(fresh)
        continue
      }
      const number = count.firstChild
      if (number !== null && /^\d+$/.test(number.textContent ?? ''))
        number.textContent = String(Number(number.textContent) + 1)
    }
  }
}
