/** Milliseconds that a toast stays, at least. */
const shownFor = 6_000

export interface Toast {
  readonly text: string
  /** The button of the toast; none for a mere sentence. */
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Runs once when the toast goes without its button: the time is over, another came, or the page is left. */
  readonly onEnd?: () => void
}

/** Sentences at the foot of the page, one at a time. Each stays while it is pointed at or focused. */
export class Toasts {
  readonly #root: HTMLElement
  #end: (() => void) | null = null
  #act: (() => void) | null = null

  constructor(root: HTMLElement) {
    this.#root = root
    window.addEventListener('pagehide', () => this.#end?.())
  }

  show({ text, action, onEnd }: Toast): void {
    this.#end?.()
    const toast = document.createElement('div')
    toast.className = 'toast'
    const words = document.createElement('span')
    words.textContent = text
    toast.append(words)
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = () => {
      clearTimeout(timer)
      toast.remove()
      this.#end = null
      this.#act = null
    }
    const end = () => {
      close()
      onEnd?.()
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(end, shownFor)
    }
    if (action !== undefined) {
      const act = () => {
        close()
        action.run()
      }
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = action.label
      button.addEventListener('click', act)
      toast.append(button)
      this.#act = act
    }
    for (const event of ['pointerenter', 'focusin']) toast.addEventListener(event, () => clearTimeout(timer))
    for (const event of ['pointerleave', 'focusout']) toast.addEventListener(event, wait)
    this.#end = end
    this.#root.replaceChildren(toast)
    wait()
  }

  /** Presses the button of the toast. False where there is none. */
  act(): boolean {
    const act = this.#act
    act?.()
    return act !== null
  }
}
