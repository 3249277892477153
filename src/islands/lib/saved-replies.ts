import { around, find } from './page'

/** Puts the saved reply of a press where one types, and at the end of a text that was not touched yet. */
export function enhanceSavedReplies(form: HTMLFormElement): void {
  const touched = new WeakSet<Element>()
  if (document.activeElement !== null) touched.add(document.activeElement)
  form.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) touched.add(target)
  })
  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button[data-text]') : null
    if (!(button instanceof HTMLButtonElement)) return
    event.preventDefault()
    around(button, 'details', HTMLDetailsElement).open = false
    const field = find(form, 'textarea[name=status]', HTMLTextAreaElement)
    // Selected text stays.
    const at = touched.has(field) ? field.selectionEnd : field.value.length
    const text = joined(field.value.slice(0, at), button.dataset['text'] ?? '')
    field.focus()
    field.setRangeText(text, at, at)
    field.setSelectionRange(at + text.length, at + text.length)
    // The reply keeps the language of the post that it answers, whatever is guessed from the text.
    find(form, 'select[name=language]', HTMLSelectElement).dispatchEvent(
      new Event('change', { bubbles: true }),
    )
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** A text that follows another, between which there is a space. */
export function joined(before: string, text: string): string {
  return before === '' || /\s$/.test(before) ? text : ` ${text}`
}
