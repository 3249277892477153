import { changeCount, unreadIn } from './badge'
import { articlesOf, entries, entryId, isOutOfSight, keepingPlace } from './feed'
import { idIn, type LiveEvent, LiveSocket, streamsIn } from './live-socket'
import { isNews } from './news'
import { find, findAll, pageAccount } from './page'
import type { Reader } from './reader'
import { showBadge } from './shown-notifications'
import { fetchPage } from './swap'

/** Milliseconds without a socket after which the timeline is asked each minute. */
const patience = 300_000
const pollEvery = 60_000
/** Posts of a page of a timeline. */
const pageSize = 20
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
  /** Ids of those of them that came by the socket. */
  readonly #counted = new Set<string>()
  #pill: HTMLAnchorElement | null = null

  constructor(reader: Reader) {
    this.#reader = reader
    const feed = document.querySelector('[data-stream]')
    this.#feed = feed instanceof HTMLElement ? feed : null
    const query = new URLSearchParams({ stream: 'user', account: pageAccount() })
    const address = new URL(`/api/v1/streaming?${query}`, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const streams = streamsIn(this.#feed?.dataset['stream'])
    const names = streams.map(({ stream = '' }) => stream)
    this.#socket = new LiveSocket({
      open: () => new WebSocket(address),
      streams: streams.filter(({ stream }) => stream !== 'user'),
      onEvent: (event) => this.#onEvent(event, names),
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

  #onEvent({ event, payload, stream: [stream = ''] }: LiveEvent, shown: readonly string[]): void {
    if (event === 'delete') this.#remove(payload)
    if (event === 'notification') {
      changeCount(this.#reader, '/notifications', 1)
      void showBadge(unreadIn('/notifications'))
    }
    if (event === 'conversation') document.dispatchEvent(new CustomEvent(event, { detail: payload }))
    if (event === 'status.update') void this.#update(payload)
    if (event !== 'update' || !shown.includes(stream)) return
    // A post of the reader's own was put in when it was sent, and one of two streams came by the other.
    const id = idIn(payload)
    if (articlesOf(id).length > 0 || this.#counted.has(id)) return
    const { without = '', me = '' } = this.#feed?.dataset ?? {}
    if (!isNews(payload, { stream, without: stream === 'user' ? without.split(' ') : [], me })) return
    this.#counted.add(id)
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
    const text = `↑ ${this.#reader.word('newPosts')} (${this.#reader.number(count)})${count < 10 ? figureSpace : ''}`
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

  /** Puts in the post that the reader just sent, with what else waits. */
  async showSent(): Promise<void> {
    if (await this.#insert()) window.scrollTo({ top: 0 })
    this.#showPill()
  }

  /** Fetches the posts above the newest one, or all of the page where it has none; null where that fails. */
  async #fetchNewer(): Promise<readonly HTMLElement[] | null> {
    const { newest } = this.#feed?.dataset ?? {}
    const [first] = entries()
    if (newest === undefined) return null
    const above = first === undefined ? '' : `${newest.includes('?') ? '&' : '?'}min_id=${entryId(first)}`
    const found = await fetchPage(newest + above)
    if (found === null || found.status >= 400) return null
    const known = new Set(entries().map(({ id }) => id))
    return entries(found.page).filter(({ id }) => !known.has(id))
  }

  /** Puts in the posts above the newest one, without moving what is in sight. False where that fails. */
  async #insert(): Promise<boolean> {
    const fresh = await this.#fetchNewer()
    if (fresh === null) {
      this.#reader.toasts.show({ text: this.#reader.word('offline') })
      return false
    }
    keepingPlace(() => this.#feed?.prepend(...fresh.map((one) => document.adoptNode(one))))
    if (fresh.length > 0) this.#isNoLongerEmpty()
    this.#waiting = fresh.length < pageSize ? 0 : Math.max(0, this.#waiting - fresh.length)
    if (this.#waiting === 0) this.#counted.clear()
    return true
  }

  /** Takes away what the page says while its timeline is empty. */
  #isNoLongerEmpty(): void {
    this.#feed?.setAttribute('role', 'feed')
    document.querySelector('main > .empty')?.remove()
  }

  /** Counts what came while there was no connection. */
  async #poll(): Promise<void> {
    this.#waiting = Math.max(this.#waiting, (await this.#fetchNewer())?.length ?? 0)
    this.#showPill()
  }

  /** Takes a deleted post away: at once if it is out of view, else by a line in its place. */
  #remove(postId: string): void {
    for (const boost of findAll(document, `.boosts li[data-post="${postId}"]`, HTMLElement)) boost.remove()
    for (const article of articlesOf(postId)) {
      if (isOutOfSight(article.getBoundingClientRect(), window.innerHeight)) {
        keepingPlace(() => article.remove())
        continue
      }
      const line = document.createElement('p')
      line.className = 'seen'
      line.textContent = this.#reader.word('deletedByAuthor')
      article.replaceChildren(line)
    }
  }

  /** Replaces an edited post, if it is not being read or its height stays. */
  async #update(payload: string): Promise<void> {
    const id = idIn(payload)
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
}
