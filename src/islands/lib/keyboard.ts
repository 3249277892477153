import type { Acts } from './acts'
import { entries, isOutOfSight } from './feed'
import { type Command, meaningOf } from './keys'
import type { Live } from './live'
import { findAll } from './page'
import type { Reader } from './reader'

/** Distance from the top at which a post that was reached by a key stands, in pixels. */
const topOfPost = 72

/** The name under which the browser keeps that shortcuts are off. */
const offKey = 'keyboard-off'

export interface KeyboardParts {
  readonly reader: Reader
  readonly acts: Acts
  readonly live: Live
}

/** Keyboard shortcuts of Mastodon's web app. Off in fields, with a modifier, and where the reader turned them off. */
export class Keyboard {
  readonly #parts: KeyboardParts
  #isAfterG = false

  constructor(parts: KeyboardParts) {
    this.#parts = parts
    prepareSwitch()
    document.addEventListener('keydown', (event) => {
      if (event.defaultPrevented || localStorage.getItem(offKey) !== null) return
      const { key, ctrlKey, altKey, metaKey, target } = event
      const focused = target instanceof Element ? target : document.body
      const meaning = meaningOf(
        {
          key,
          isModified: ctrlKey || altKey || metaKey,
          isTyping: focused.matches('input, textarea, select, [contenteditable]'),
          isOnControl: focused.matches('a, button, summary'),
        },
        this.#isAfterG,
      )
      this.#isAfterG = meaning === 'g'
      if (meaning === null || meaning === 'g') return
      if ('path' in meaning) location.assign(meaning.path === 'profile' ? profilePath() : meaning.path)
      else if (!this.#run(meaning.command)) return
      event.preventDefault()
    })
  }

  /** Runs a command. False where there is nothing to run it on. */
  #run(command: Command): boolean {
    const article = currentArticle()
    const follow = (selector: string) => press(article, selector)
    switch (command) {
      case 'next':
        return this.#step(article, 1)
      case 'previous':
        return this.#step(article, -1)
      case 'top':
        window.scrollTo({ top: 0 })
        return true
      case 'first':
        return focus(firstInView())
      case 'older':
        return press(document, 'a[rel=next]')
      case 'open':
        return article?.contains(document.activeElement) === true && openPost(article)
      case 'profile':
        return follow('.who a')
      case 'reply':
        return follow('a[href^="/publish?reply_to="]')
      case 'quote':
        return follow('a[href^="/publish?quote="]')
      case 'translate':
        return follow('a[href$="?translate=true"]')
      case 'mention':
        return mention(article)
      case 'favourite':
      case 'boost':
      case 'bookmark': {
        const form = article?.querySelector('form.acts')
        if (!(form instanceof HTMLFormElement)) return false
        void this.#parts.acts.press(form, command)
        return true
      }
      case 'media':
        return follow('.media a')
      case 'warning':
        return fold(article, 'details.warned')
      case 'hideMedia':
        return fold(article, 'details.warned:has(> .media, > template)')
      case 'newer':
        void this.#parts.live.goUp()
        return true
      case 'undo':
        return this.#parts.reader.toasts.act()
      case 'compose':
        location.assign('/publish')
        return true
      case 'search':
        location.assign('/search')
        return true
      case 'help':
        location.assign('/keyboard')
        return true
      case 'back':
        history.back()
        return true
    }
  }

  #step(from: HTMLElement | null, by: 1 | -1): boolean {
    const all = posts()
    const at = from === null ? -1 : all.indexOf(from)
    // The first press reaches the post that is read, not the one behind it.
    const isFocused = from?.contains(document.activeElement) === true
    return focus(isFocused ? all[at + by] : (from ?? all[0]))
  }
}

/** Articles that keys move between: posts, and groups of notifications. */
function posts(): readonly HTMLElement[] {
  return findAll(document, 'main article', HTMLElement)
}

/** The article with the focus, or else the first that is in view. */
function currentArticle(): HTMLElement | null {
  const focused = document.activeElement?.closest('article')
  return focused instanceof HTMLElement ? focused : (firstInView() ?? null)
}

function firstInView(): HTMLElement | undefined {
  const all = entries().length > 0 ? entries() : posts()
  return all.find((one) => !isOutOfSight(one.getBoundingClientRect(), window.innerHeight))
}

function focus(article: HTMLElement | undefined): boolean {
  if (article === undefined) return false
  article.tabIndex = -1
  article.focus({ preventScroll: true })
  window.scrollBy({ top: article.getBoundingClientRect().top - topOfPost })
  return true
}

function press(root: ParentNode | null, selector: string): boolean {
  const target = root?.querySelector(selector)
  if (!(target instanceof HTMLElement)) return false
  target.click()
  return true
}

function openPost(article: HTMLElement): boolean {
  const link = article.querySelector('time')?.closest('a') ?? article.querySelector('a.said')
  link?.click()
  return link !== null
}

function mention(article: HTMLElement | null): boolean {
  const acct = article?.querySelector('.ltr')?.textContent ?? ''
  if (acct === '') return false
  location.assign(`/publish?text=${encodeURIComponent(`${acct} `)}`)
  return true
}

function fold(article: HTMLElement | null, selector: string): boolean {
  const details = article?.querySelector(selector)
  if (!(details instanceof HTMLDetailsElement)) return false
  details.open = !details.open
  return true
}

function profilePath(): string {
  return document.querySelector<HTMLAnchorElement>('.nav .me')?.href ?? '/'
}

/** Lets the page of shortcuts turn them off, and on again, in this browser. */
function prepareSwitch(): void {
  const input = document.querySelector('[data-keyboard-switch]')
  if (!(input instanceof HTMLInputElement)) return
  input.checked = localStorage.getItem(offKey) === null
  input.disabled = false
  input.addEventListener('change', () => {
    if (input.checked) localStorage.removeItem(offKey)
    else localStorage.setItem(offKey, '1')
  })
}
