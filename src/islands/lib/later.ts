/** Takes the pictures of an opened fold out of their template, so that they load then and not before. */
export function loadOpened(): void {
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return
      const later = target.querySelector(':scope > template[data-later]')
      if (later instanceof HTMLTemplateElement) later.replaceWith(later.content)
    },
    { capture: true },
  )
}
