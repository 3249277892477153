import { callApi } from './api'
import { type Completable, completableAt, complete } from './characters'
import type { Reader } from './reader'

/** Milliseconds after the last key before the server is asked. */
const pause = 200
const mostShown = 6

/** Suggestions below a text while a person, a hashtag or an emoji is typed. */
export class Completion {
  readonly #reader: Reader
  readonly #field: HTMLTextAreaElement
  readonly #list: HTMLUListElement
  #found: Completable | null = null
  #chosen = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #emojis: readonly string[] | null = null

  constructor(reader: Reader, field: HTMLTextAreaElement) {
    this.#reader = reader
    this.#field = field
    const list = document.createElement('ul')
    list.className = 'completions'
    list.id = `completions-${field.name}`
    list.setAttribute('role', 'listbox')
    list.setAttribute('aria-label', reader.word('suggestions'))
    list.hidden = true
    field.after(list)
    this.#list = list
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-controls', list.id)
    field.addEventListener('input', () => this.#wait())
    field.addEventListener('blur', () => this.#hide())
    field.addEventListener('keydown', (event) => this.#onKey(event))
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#found = completableAt(this.#field.value, this.#field.selectionStart)
    if (this.#found === null) this.#hide()
    else this.#timer = setTimeout(() => void this.#ask(), pause)
  }

  async #ask(): Promise<void> {
    const asked = this.#found
    if (asked === null) return
    const words = await this.#wordsFor(asked)
    // An answer that came after the next key is no longer wanted.
    if (asked === this.#found) this.#show(words)
  }

  async #wordsFor({ kind, text }: Completable): Promise<readonly string[]> {
    const query = encodeURIComponent(text)
    if (kind === 'emoji') {
      this.#emojis ??= (await this.#valuesIn('/api/v1/custom_emojis', 'shortcode')).map((name) => `:${name}:`)
      return this.#emojis.filter((name) => name.includes(text)).slice(0, mostShown)
    }
    if (kind === 'person') {
      const found = await this.#valuesIn(`/api/v1/accounts/search?q=${query}&limit=${mostShown}`, 'acct')
      return found.map((acct) => `@${acct}`)
    }
    const found = await this.#valuesIn(`/api/v2/search?type=hashtags&q=${query}&limit=${mostShown}`, 'name')
    return found.map((name) => `#${name}`)
  }

  /** Values of one property of the entities in an answer; none where it fails: one can type on. */
  async #valuesIn(path: `/api/${string}`, property: string): Promise<readonly string[]> {
    const answer = await callApi(this.#reader.csrfToken, path)
    if (answer === null || answer.status >= 400) return []
    const { body } = answer
    const inSearch = typeof body === 'object' && body !== null && 'hashtags' in body ? body.hashtags : body
    const entities: readonly unknown[] = Array.isArray(inSearch) ? inSearch : []
    return entities.flatMap((entity) => {
      const value: unknown =
        typeof entity === 'object' && entity !== null ? Reflect.get(entity, property) : null
      return typeof value === 'string' ? [value] : []
    })
  }

  #show(words: readonly string[]): void {
    this.#list.replaceChildren(
      ...words.map((word, index) => {
        const option = document.createElement('li')
        option.id = `${this.#list.id}-${index}`
        option.setAttribute('role', 'option')
        option.textContent = word
        // Before the field loses the focus.
        option.addEventListener('pointerdown', (event) => {
          event.preventDefault()
          this.#take(word)
        })
        return option
      }),
    )
    this.#list.hidden = words.length === 0
    this.#choose(0)
  }

  #choose(index: number): void {
    const options = [...this.#list.children]
    this.#chosen = options.length === 0 ? 0 : (index + options.length) % options.length
    for (const [at, option] of options.entries())
      option.setAttribute('aria-selected', String(at === this.#chosen))
    const current = options[this.#chosen]
    if (current === undefined) this.#field.removeAttribute('aria-activedescendant')
    else this.#field.setAttribute('aria-activedescendant', current.id)
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#list.hidden || event.ctrlKey || event.metaKey) return
    const word = this.#list.children[this.#chosen]?.textContent ?? ''
    if (event.key === 'ArrowDown') this.#choose(this.#chosen + 1)
    else if (event.key === 'ArrowUp') this.#choose(this.#chosen - 1)
    else if (event.key === 'Enter' || event.key === 'Tab') this.#take(word)
    else if (event.key === 'Escape') this.#hide()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #take(by: string): void {
    const { value, selectionStart } = this.#field
    if (this.#found === null) return
    const { text, caret } = complete(value, { start: this.#found.start, caret: selectionStart, by })
    this.#field.value = text
    this.#field.setSelectionRange(caret, caret)
    this.#hide()
    this.#field.dispatchEvent(new Event('input', { bubbles: true }))
  }

  #hide(): void {
    clearTimeout(this.#timer)
    this.#found = null
    this.#list.hidden = true
    this.#field.removeAttribute('aria-activedescendant')
  }
}
