import { countCharacters } from './characters'
import { Completion } from './completion'
import { enhanceEmojis } from './emoji-picker'
import { takeFiles } from './given-files'
import { guessLanguage } from './language-guess'
import { DraftKeeper } from './local-drafts'
import { find, findAll } from './page'
import { type Reader, reasonOf } from './reader'
import { enhanceSavedReplies } from './saved-replies'
import { type FetchedPage, fetchPage, parsePage, signInAfter } from './swap'

/** Characters left from which the number warns. */
const few = 40

/**
 * Enhances the composer: drafts, the number of characters left, suggestions, files by paste and drop, and its buttons
 * without leaving the page. The server renders each change; nothing typed is replaced by it.
 */
export function enhanceComposer(reader: Reader, form: HTMLFormElement): void {
  const drafts = new DraftKeeper(reader, form, restore)
  const enhanced = new WeakSet<HTMLTextAreaElement>()
  let isBusy = false

  /** Suggestions and counts of each post that is in the form now. */
  function enhancePosts(): void {
    for (const segment of findAll(form, '.segment', HTMLElement)) {
      const field = find(segment, 'textarea[name^=status]', HTMLTextAreaElement)
      showLeft(reader, segment, field)
      if (!enhanced.has(field)) new Completion(reader, field)
      enhanced.add(field)
    }
  }

  async function send(press: string): Promise<void> {
    if (isBusy) return
    isBusy = true
    form.setAttribute('aria-busy', 'true')
    drafts.pause()
    const sent = new FormData(form)
    sent.set('press', press)
    try {
      const answer = await (hasFiles(form)
        ? upload(reader, form, sent)
        : fetchPage(form.action, { method: 'POST', body: sent }))
      if (answer === null) {
        drafts.keep()
        reader.toasts.show({ text: reader.word('offline') })
        return
      }
      const signIn = signInAfter(answer, form.dataset['opens'] ?? location.pathname + location.search)
      if (signIn !== null) {
        drafts.keepOnDevice()
        location.assign(signIn)
        return
      }
      if (answer.redirectedTo !== null) {
        if (['post', 'post_now', 'undescribed'].includes(press)) drafts.send()
        if (press === 'discard') drafts.forget()
        location.assign(answer.redirectedTo)
        return
      }
      show(answer.page, sent)
      if (press === 'draft' && answer.status < 400) drafts.forget()
      else drafts.keep()
      if (answer.status >= 400 && answer.page.querySelector('main [role=alert]') === null)
        reader.toasts.show({ text: reader.word(reasonOf(answer.status)) })
      if (press === 'add_post') findAll(form, 'textarea[name^=status]', HTMLTextAreaElement).at(-1)?.focus()
    } finally {
      isBusy = false
      form.removeAttribute('aria-busy')
    }
    // The server publishes as much of a thread as fits into one request.
    if (form.dataset['continues'] !== undefined) await send(press)
  }

  /** Puts in place what the server shows of posts, files, polls and problems. */
  function show(page: Document, sent: FormData): void {
    const fresh = page.querySelector('form[data-context]:not([data-quick])')
    if (fresh instanceof HTMLFormElement) showPosts(fresh, sent)
    for (const part of ['[data-beside]', '.head button[value=post]']) {
      const found = page.querySelector(part)
      if (found !== null) document.querySelector(part)?.replaceWith(document.adoptNode(found))
    }
    for (const note of findAll(document, 'main > .pad:has(> .note)', HTMLElement)) note.remove()
    const notes = findAll(page, 'main > .pad:has(> .note)', HTMLElement).map((one) => document.adoptNode(one))
    find(document, 'main > .head', HTMLElement).after(...notes)
    const alert = document.querySelector('main [role=alert]')
    if (alert instanceof HTMLElement) alert.focus()
  }

  function showPosts(fresh: HTMLFormElement, sent: FormData): void {
    const warned = findAll(form, '.cw-toggle input', HTMLInputElement).map(({ checked }) => checked)
    if (shapeOf(fresh) === shapeOf(form)) {
      const parts = findAll(fresh, '[data-parts]', HTMLElement)
      for (const [index, part] of findAll(form, '[data-parts]', HTMLElement).entries()) {
        const found = parts[index]
        if (found !== undefined) part.replaceWith(document.adoptNode(found))
      }
    } else {
      const later = typedSince(form, sent)
      form.replaceChildren(...[...fresh.childNodes].map((one) => document.adoptNode(one)))
      for (const field of findAll(form, 'textarea, input[type=text]', HTMLElement))
        if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)
          field.value = later.get(field.name) ?? field.value
    }
    for (const [index, toggle] of findAll(form, '.cw-toggle input', HTMLInputElement).entries())
      toggle.checked ||= warned[index] ?? false
    if (fresh.dataset['continues'] === undefined) delete form.dataset['continues']
    else form.dataset['continues'] = ''
    enhancePosts()
  }

  /** Shows a draft of this device that has other posts than the page. */
  async function restore(fields: Readonly<Record<string, string>>): Promise<void> {
    const body = new FormData(form)
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set('press', 'open')
    const answer = await fetchPage(form.action, { method: 'POST', body })
    if (answer !== null && answer.redirectedTo === null) show(answer.page, new FormData(form))
  }

  const addFiles = (
    files: FileList | null | undefined,
    to: Element | null = document.activeElement,
  ): boolean => {
    const segment = to?.closest('.segment') ?? form
    const input = segment.querySelector('input[type=file]')
    if (!(input instanceof HTMLInputElement) || files == null || files.length === 0) return false
    input.files = files
    void send('attach')
    return true
  }

  enhancePosts()
  followLanguage(form)
  enhanceEmojis(form)
  enhanceSavedReplies(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(event.submitter instanceof HTMLButtonElement ? event.submitter.value : 'post')
  })
  form.addEventListener('input', ({ target }) => {
    const segment = target instanceof HTMLTextAreaElement ? target.closest('.segment') : null
    if (
      segment instanceof HTMLElement &&
      target instanceof HTMLTextAreaElement &&
      target.name.startsWith('status')
    )
      showLeft(reader, segment, target)
  })
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'file') addFiles(target.files, target)
  })
  takeFiles(form, addFiles)
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send('post')
    }
    if (event.altKey && event.code === 'KeyX') {
      event.preventDefault()
      const around = event.target instanceof Element ? event.target.closest('.segment') : null
      const segment = around ?? form
      find(segment, '.cw-toggle input', HTMLInputElement).checked = true
      find(segment, 'input[name^=spoiler_text]', HTMLInputElement).focus()
    }
  })
}

/** The shape of a form: the number of its posts, and of those that are published. */
function shapeOf(form: HTMLFormElement): string {
  return ['posts', 'published']
    .map((name) => find(form, `input[name=${name}]`, HTMLInputElement).value)
    .join(' ')
}

/** Texts that were typed after a form was sent, by the names of their fields. */
function typedSince(form: HTMLFormElement, sent: FormData): ReadonlyMap<string, string> {
  const now = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== sent.get(name) ? [[name, value] as const] : [],
  )
  return new Map(now)
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

/** Shows how many characters of a post are left, in figures and as a ring. */
function showLeft(reader: Reader, segment: HTMLElement, field: HTMLTextAreaElement): void {
  const remaining = find(segment, '[data-limit]', HTMLElement)
  const most = Number(remaining.dataset['limit'])
  const left = most - countCharacters(field.value, reader.language)
  const figure = reader.number(left)
  find(remaining, '.words', HTMLElement).replaceChildren(reader.word('charactersLeft'), ': ', figure)
  find(remaining, '.figure', HTMLElement).textContent = figure
  const ring = segment.querySelector('.ring')
  for (const one of [remaining, ring]) {
    one?.classList.toggle('near', left <= few)
    one?.classList.toggle('over', left < 0)
  }
  const filled = Math.min(100, Math.round((1 - left / most) * 100))
  ring?.querySelector('.part')?.setAttribute('stroke-dasharray', `${filled} 100`)
}

/** Chooses the language of what is typed first, until the author chooses one. */
function followLanguage(form: HTMLFormElement): void {
  const select = () => find(form, 'select[name=language]', HTMLSelectElement)
  const usual = select().value
  let isChosen = false
  form.addEventListener('change', ({ target }) => {
    if (target === select()) isChosen = true
  })
  form.addEventListener('input', ({ target }) => {
    if (isChosen || !(target instanceof HTMLTextAreaElement) || target.name !== 'status') return
    select().value = guessLanguage(target.value, usual) ?? usual
  })
}
