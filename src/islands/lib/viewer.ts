import { find } from './page'
import { fetchPage } from './swap'

/** Whether a path is that of a picture of a post. */
const isPhoto = (path: string) => /^\/@[^/]+\/\d+\/photo\/\d+$/.test(path)

/** Opens pictures of posts over the page that is read: the same content at the same address, closed by Escape and Back. */
export function openPictures(): void {
  const ownPage = document.querySelector('main.viewer')
  let dialog: HTMLDialogElement | null = null
  const title = document.title
  const close = () => {
    dialog?.remove()
    dialog = null
    document.title = title
  }
  const show = async (path: string) => {
    const found = await fetchPage(path)
    const main = found?.page.querySelector('main.viewer')
    if (found === null || found.status >= 400 || main == null) {
      location.assign(path)
      return
    }
    if (dialog === null) {
      dialog = document.createElement('dialog')
      dialog.className = 'viewer'
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault()
        history.back()
      })
      document.body.append(dialog)
      dialog.showModal()
    }
    dialog.classList.remove('zoomed')
    dialog.replaceChildren(document.adoptNode(find(main, 'article', HTMLElement)))
    document.title = found.page.title
    find(dialog, '[data-close]', HTMLElement).focus()
  }
  document.addEventListener('click', (event) => {
    const { target } = event
    if (!(target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (target.matches('.viewer .stage img')) target.closest('.viewer')?.classList.toggle('zoomed')
    const link = target.closest('a')
    if (link === null || ownPage !== null || event.defaultPrevented) return
    const isInDialog = dialog?.contains(link) === true
    if (isInDialog && link.matches('[data-close]')) history.back()
    else if (isPhoto(link.pathname)) {
      if (isInDialog) history.replaceState(history.state, '', link.pathname)
      else history.pushState(null, '', link.pathname)
      void show(link.pathname)
    } else return
    event.preventDefault()
  })
  window.addEventListener('popstate', () => {
    if (ownPage !== null) return
    if (isPhoto(location.pathname)) void show(location.pathname)
    else close()
  })
  document.addEventListener(
    'keydown',
    (event) => {
      const viewer = dialog ?? ownPage
      if (viewer === null || event.ctrlKey || event.altKey || event.metaKey) return
      const isRightToLeft = document.documentElement.dir === 'rtl'
      const steps = {
        ArrowLeft: isRightToLeft ? 'next' : 'prev',
        ArrowRight: isRightToLeft ? 'prev' : 'next',
      }
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
        viewer.querySelector<HTMLElement>(`a[rel=${steps[event.key]}]`)?.click()
      else if (event.key === 'Escape' && dialog === null)
        viewer.querySelector<HTMLElement>('[data-close]')?.click()
      else if (dialog === null || /^([fbdqrpz]|Backspace|Tab|Enter| |Escape)$/.test(event.key)) return
      event.stopPropagation()
    },
    { capture: true },
  )
}
