import { reach } from './api'
import { type EmojiLine, emojiLines, foundEmojis, inserted } from './emojis'
import { find, findAll } from './page'

const pressedEmoji = 'button[value^="insert:"]'
const mostFound = 48

/** Puts emojis of the open picker of a composer where one types, and searches all of Unicode by name. */
export function enhanceEmojis(form: HTMLFormElement): void {
  let lines: readonly EmojiLine[] | null = null

  async function search(picker: HTMLElement, query: string): Promise<void> {
    if (lines === null && query !== '') lines = await fetchLines(picker.dataset['emojis'] ?? '')
    const field = find(picker, 'input[type=search]', HTMLInputElement)
    // An answer that came after the next key is no longer wanted.
    if (field.value.trim().toLowerCase() !== query) return
    const found = find(picker, '[data-found]', HTMLElement)
    const groups = findAll(picker, 'fieldset:not([data-found])', HTMLFieldSetElement)
    const [prefix = ''] = /^insert:\d+:/.exec(groups[0]?.querySelector('button')?.value ?? '') ?? []
    const custom = findAll(picker, `fieldset:not([data-found]) ${pressedEmoji}[title]`, HTMLButtonElement)
      .filter(({ title }) => title.toLowerCase().includes(query))
      .map((button) => button.cloneNode(true))
    const unicode = foundEmojis(lines ?? [], query, mostFound).map(({ emoji, name }) => {
      const button = document.createElement('button')
      button.type = 'submit'
      button.className = 'chip'
      button.name = 'press'
      button.value = prefix + emoji
      button.title = name
      button.textContent = emoji
      return button
    })
    find(found, '.chips', HTMLElement).replaceChildren(
      ...(query === '' ? [] : [...custom, ...unicode].slice(0, mostFound)),
    )
    found.hidden = query === ''
    for (const group of groups) group.hidden = query !== ''
  }

  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest(pressedEmoji) : null
    if (!(button instanceof HTMLButtonElement)) return
    event.preventDefault()
    const segment = button.closest('.segment') ?? form
    const field = find(segment, 'textarea[name^=status]', HTMLTextAreaElement)
    const emoji = button.value.replace(/^insert:\d+:/, '')
    // A field without the focus loses its caret when its text changes.
    field.focus()
    const { selectionStart: start, selectionEnd: end } = field
    const text = inserted(field.value.slice(0, start), emoji)
    field.setRangeText(text, start, end)
    field.setSelectionRange(start + text.length, start + text.length)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  form.addEventListener('input', ({ target }) => {
    const picker = target instanceof HTMLInputElement ? target.closest('[data-emojis]') : null
    if (picker instanceof HTMLElement && target instanceof HTMLInputElement)
      void search(picker, target.value.trim().toLowerCase())
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    const picker = event.target.closest('[data-emojis]')
    if (picker === null) return
    // Enter would send the form.
    event.preventDefault()
    picker.querySelector<HTMLButtonElement>('[data-found] button')?.click()
  })
}

/** The emojis in a file of this server; none where it cannot be reached: those of the picker are still there. */
async function fetchLines(path: string): Promise<readonly EmojiLine[] | null> {
  const answer = await reach(path, {})
  return answer?.ok === true ? emojiLines(await answer.json()) : null
}
