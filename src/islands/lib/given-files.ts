/** Hands on files that are pasted or dropped into a form; `add` says whether it took any. */
export function takeFiles(form: HTMLFormElement, add: (files: FileList | undefined) => boolean): void {
  form.addEventListener('paste', (event) => {
    if (add(event.clipboardData?.files)) event.preventDefault()
  })
  form.addEventListener('dragover', (event) => event.preventDefault())
  form.addEventListener('drop', (event) => {
    if (add(event.dataTransfer?.files)) event.preventDefault()
  })
}
