import { findAll } from './page'
import type { Reader } from './reader'
import { Toggle } from './toggle'

/** Verbs of the API by what a button turns on; it turns off by the verb with `un` before it. */
const verbs = {
  favourite: 'favourite',
  boost: 'reblog',
  bookmark: 'bookmark',
  pin: 'pin',
  mute: 'mute',
} as const
type Mark = keyof typeof verbs

/** The mark that a button changes by the act it sends; null for any other button. */
export function markOf(act: string): Mark | null {
  const name = act.replace(/^un/, '')
  return Object.keys(verbs).find((one): one is Mark => one === name) ?? null
}

/** Lets the buttons below posts act at once: one toggle for each mark of each post, wherever the post stands. */
export class Acts {
  readonly #reader: Reader
  readonly #toggles = new Map<string, Toggle>()

  constructor(reader: Reader) {
    this.#reader = reader
    document.addEventListener('submit', (event) => {
      const { target, submitter } = event
      if (!(target instanceof HTMLFormElement && submitter instanceof HTMLButtonElement)) return
      const mark = target.matches('form.acts') ? markOf(submitter.value) : null
      if (mark === null) return
      event.preventDefault()
      submitter.closest('details')?.removeAttribute('open')
      void this.press(target, mark)
    })
  }

  /** Presses the button of a mark of the post whose buttons `form` has. */
  async press(form: HTMLFormElement, mark: Mark): Promise<void> {
    const path = new URL(form.action).pathname
    const toggle = this.#toggleOf(path, mark)
    if (toggle === null) return
    const isSaved = await toggle.press()
    if (!isSaved || mark !== 'boost' || !toggle.isOn) return
    const { toasts, word } = this.#reader
    toasts.show({ text: word('boosted'), action: { label: word('undo'), run: () => void toggle.press() } })
  }

  #toggleOf(path: string, mark: Mark): Toggle | null {
    const key = `${mark} ${path}`
    const known = this.#toggles.get(key)
    if (known !== undefined) return known
    const [button] = buttonsOf(path, mark)
    if (button === undefined || button.disabled) return null
    const toggle = new Toggle(button.value.startsWith('un'), {
      save: async (on) => {
        const id = path.split('/').at(-1)
        const verb = on ? verbs[mark] : `un${verbs[mark]}`
        return (await this.#reader.call(`/api/v1/statuses/${id}/${verb}`, { method: 'POST' })) !== null
      },
      show: (on) => {
        for (const one of buttonsOf(path, mark)) showMark(one, mark, on, this.#reader.language)
      },
    })
    this.#toggles.set(key, toggle)
    return toggle
  }
}

function buttonsOf(path: string, mark: Mark): readonly HTMLButtonElement[] {
  const form = `form.acts[action="${path}"]`
  return findAll(
    document,
    `${form} button[value="${mark}"], ${form} button[value="un${mark}"]`,
    HTMLButtonElement,
  )
}

/** Shows a mark on its button: pressed with one more in its count, or in the menu the words for the other act. */
function showMark(button: HTMLButtonElement, mark: Mark, on: boolean, language: string): void {
  const wasOn = button.value.startsWith('un')
  if (wasOn === on) return
  button.value = on ? `un${mark}` : mark
  const { count, other } = button.dataset
  if (other !== undefined) {
    const words = button.querySelector('span')
    button.dataset['other'] = words?.textContent ?? ''
    if (words !== null) words.textContent = other
    return
  }
  button.setAttribute('aria-pressed', String(on))
  if (count === undefined) return
  const now = Math.max(0, Number(count) + (on ? 1 : -1))
  button.dataset['count'] = String(now)
  const [label = ''] = (button.getAttribute('aria-label') ?? '').split(', ')
  button.setAttribute('aria-label', now === 0 ? label : `${label}, ${now}`)
  const shown = button.querySelector('span') ?? document.createElement('span')
  shown.textContent = now === 0 ? '' : new Intl.NumberFormat(language, { notation: 'compact' }).format(now)
  button.append(shown)
}
