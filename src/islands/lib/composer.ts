import { countCharacters } from './characters'
import { Completion } from './completion'
import { takeFiles } from './given-files'
import { guessLanguage } from './language-guess'
import { DraftKeeper } from './local-drafts'
import { find, findAll } from './page'
import { type Reader, reasonOf } from './reader'
import { type FetchedPage, fetchPage, parsePage } from './swap'

/** Characters left from which the number warns. */
const few = 40

/**
 * Enhances the composer: drafts, the number of characters left, suggestions, files by paste and drop, and its buttons
 * without leaving the page. The server renders each change; nothing typed is replaced by it.
 */
export function enhanceComposer(reader: Reader, form: HTMLFormElement): void {
  const field = find(form, 'textarea[name=status]', HTMLTextAreaElement)
  const drafts = new DraftKeeper(reader, form)
  new Completion(reader, field)
  countLeft(reader, form, field)
  followLanguage(form, field)
  let isBusy = false

  async function send(submitter: HTMLElement | null): Promise<void> {
    if (isBusy) return
    isBusy = true
    form.setAttribute('aria-busy', 'true')
    const press = submitter instanceof HTMLButtonElement ? submitter.value : ''
    drafts.pause()
    try {
      const data = new FormData(form, submitter)
      const answer = await (hasFiles(form)
        ? upload(reader, form, data)
        : fetchPage(form.action, { method: 'POST', body: data }))
      if (answer === null) {
        drafts.keep()
        reader.toasts.show({ text: reader.word('offline') })
        return
      }
      if (answer.redirectedTo !== null) {
        if (press === 'post' || press === 'undescribed') drafts.send()
        if (press === 'discard') drafts.forget()
        location.assign(answer.redirectedTo)
        return
      }
      show(answer.page)
      if (press === 'draft' && answer.status < 400) drafts.forget()
      else drafts.keep()
      if (answer.status >= 400 && answer.page.querySelector('main [role=alert]') === null)
        reader.toasts.show({ text: reader.word(reasonOf(answer.status)) })
    } finally {
      isBusy = false
      form.removeAttribute('aria-busy')
    }
  }

  /** Puts in place what the server shows of files, poll and problems. */
  function show(page: Document): void {
    const fresh = page.querySelector('[data-parts]')
    const isWarned = find(form, '.cw-toggle input', HTMLInputElement).checked
    if (fresh !== null) find(form, '[data-parts]', HTMLElement).replaceWith(document.adoptNode(fresh))
    const beside = page.querySelector('[data-beside]')
    if (beside !== null) document.querySelector('[data-beside]')?.replaceWith(document.adoptNode(beside))
    find(form, '.cw-toggle input', HTMLInputElement).checked = isWarned
    form.dispatchEvent(new Event('rendered'))
    for (const note of findAll(document, 'main > .pad:has(> .note)', HTMLElement)) note.remove()
    const notes = findAll(page, 'main > .pad:has(> .note)', HTMLElement).map((one) => document.adoptNode(one))
    find(document, 'main > .head', HTMLElement).after(...notes)
    const alert = document.querySelector('main [role=alert]')
    if (alert instanceof HTMLElement) alert.focus()
  }

  const addFiles = (files: FileList | null | undefined): boolean => {
    const input = form.querySelector('input[type=file]')
    if (!(input instanceof HTMLInputElement) || files == null || files.length === 0) return false
    input.files = files
    void send(form.querySelector('button[value=attach]'))
    return true
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(event.submitter)
  })
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'file') addFiles(target.files)
  })
  takeFiles(form, addFiles)
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      form.requestSubmit(document.querySelector<HTMLButtonElement>('button[name=press][value=post]'))
    }
    if (event.altKey && event.code === 'KeyX') {
      event.preventDefault()
      const toggle = find(form, '.cw-toggle input', HTMLInputElement)
      toggle.checked = true
      find(form, 'input[name=spoiler_text]', HTMLInputElement).focus()
    }
  })
}

function hasFiles(form: HTMLFormElement): boolean {
  return findAll(form, 'input[type=file]', HTMLInputElement).some(({ files }) => (files?.length ?? 0) > 0)
}

/** Sends files with a bar of progress, which `fetch` has none of. */
function upload(reader: Reader, form: HTMLFormElement, body: FormData): Promise<FetchedPage | null> {
  const bar = document.createElement('progress')
  bar.setAttribute('aria-label', reader.word('sending'))
  bar.max = 1
  find(form, '[data-parts]', HTMLElement).prepend(bar)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', form.action)
    request.setRequestHeader('Accept', 'text/html')
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      bar.value = total === 0 ? 0 : loaded / total
    })
    request.addEventListener('loadend', () => {
      bar.remove()
      const { status, responseText, responseURL } = request
      const isElsewhere =
        responseURL !== '' && new URL(responseURL).pathname !== new URL(form.action).pathname
      resolve(
        status === 0
          ? null
          : { status, page: parsePage(responseText), redirectedTo: isElsewhere ? responseURL : null },
      )
    })
    request.send(body)
  })
}

/** Shows how many characters are left, in figures and as a ring. */
function countLeft(reader: Reader, form: HTMLFormElement, field: HTMLTextAreaElement): void {
  const show = () => {
    // The server renders them again with files and poll.
    const remaining = form.querySelector('[data-limit]')
    if (!(remaining instanceof HTMLElement)) return
    const most = Number(remaining.dataset['limit'])
    const left = most - countCharacters(field.value, reader.language)
    const figure = reader.number(left)
    find(remaining, '.words', HTMLElement).replaceChildren(reader.word('charactersLeft'), ': ', figure)
    find(remaining, '.figure', HTMLElement).textContent = figure
    const ring = form.querySelector('.ring')
    for (const one of [remaining, ring]) {
      one?.classList.toggle('near', left <= few)
      one?.classList.toggle('over', left < 0)
    }
    const filled = Math.min(100, Math.round((1 - left / most) * 100))
    ring?.querySelector('.part')?.setAttribute('stroke-dasharray', `${filled} 100`)
  }
  field.addEventListener('input', show)
  form.addEventListener('rendered', show)
  show()
}

/** Chooses the language of what is typed, until the author chooses one. */
function followLanguage(form: HTMLFormElement, field: HTMLTextAreaElement): void {
  const select = find(form, 'select[name=language]', HTMLSelectElement)
  const usual = select.value
  let isChosen = false
  select.addEventListener('change', () => {
    isChosen = true
  })
  field.addEventListener('input', () => {
    if (!isChosen) select.value = guessLanguage(field.value, usual) ?? usual
  })
}
