import { Completion } from './completion'
import { takeFiles } from './given-files'
import { DraftKeeper } from './local-drafts'
import { find } from './page'
import { type Reader, reasonOf } from './reader'
import { fetchPage, signInAfter } from './swap'

/**
 * Enhances the composer in place: drafts, suggestions, files by paste and drop, and posts without leaving the page.
 * Its other buttons open the whole composer with what was typed.
 */
export function enhanceQuickComposer(
  reader: Reader,
  form: HTMLFormElement,
  showSent: () => Promise<void>,
): void {
  const field = find(form, 'textarea[name=status]', HTMLTextAreaElement)
  const drafts = new DraftKeeper(reader, form)
  new Completion(reader, field)
  const isReply = find(form, 'input[name=reply_to]', HTMLInputElement).value !== ''
  const files = filesOf(form)

  async function send(submitter: HTMLElement | null): Promise<void> {
    if (form.getAttribute('aria-busy') === 'true') return
    form.setAttribute('aria-busy', 'true')
    drafts.pause()
    const answer = await fetchPage(form.action, { method: 'POST', body: new FormData(form, submitter) })
    form.removeAttribute('aria-busy')
    const signIn = answer === null ? null : signInAfter(answer, location.pathname + location.search)
    if (signIn !== null) {
      drafts.keepOnDevice()
      location.assign(signIn)
      return
    }
    if (answer?.redirectedTo != null) {
      if (isReply || answer.page.querySelector('form[action$="/redraft"]') === null) {
        drafts.send()
        location.assign(answer.redirectedTo)
        return
      }
      await finish(answer.page)
      return
    }
    drafts.keep()
    const reason = answer?.page.querySelector('main [role=alert]')?.textContent
    reader.toasts.show({
      text: reason ?? reader.word(answer === null ? 'offline' : reasonOf(answer.status)),
    })
  }

  /** Empties the form for the next post, and shows the one that was sent, with the button that takes it back. */
  async function finish(page: Document): Promise<void> {
    drafts.forget()
    form.reset()
    const fresh = page.querySelector('form[data-quick] input[name=key]')
    if (fresh instanceof HTMLInputElement) find(form, 'input[name=key]', HTMLInputElement).value = fresh.value
    const undo = page.querySelector('form[action$="/redraft"]')
    if (!(undo instanceof HTMLFormElement)) return
    await showSent()
    undo.hidden = true
    reader.toasts.show({
      text: reader.word('sent'),
      action: {
        label: reader.word('undo'),
        run: () => {
          document.body.append(document.adoptNode(undo))
          undo.submit()
        },
      },
    })
  }

  function addFiles(list: FileList | null | undefined): boolean {
    if (list == null || list.length === 0) return false
    files.files = list
    form.requestSubmit(find(form, 'button[value=attach]', HTMLButtonElement))
    return true
  }

  form.addEventListener('submit', (event) => {
    const press = event.submitter instanceof HTMLButtonElement ? event.submitter.value : 'post'
    if (press === 'attach' && files.files?.length === 0) {
      event.preventDefault()
      files.click()
    } else if (press === 'post') {
      event.preventDefault()
      void send(event.submitter)
    } else drafts.pause()
  })
  files.addEventListener('change', () => addFiles(files.files))
  takeFiles(form, addFiles)
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit(find(form, 'button[value=post]', HTMLButtonElement))
  })
}

/** A field for files, out of sight: the button of files opens it. */
function filesOf(form: HTMLFormElement): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'file'
  input.name = 'file[]'
  input.multiple = true
  input.accept = 'image/*,video/*,audio/*'
  input.hidden = true
  form.append(input)
  return input
}
