import { reach } from './api'
import { now } from './browser'
import { findAll } from './page'
import type { Reader } from './reader'

/** Milliseconds after the last key before a draft goes to the server, and between two that do. */
const pause = 2_000
const between = 10_000

/** Fields of a form that belong to the page and not to the draft. Uploads are kept by their ids. */
const unsaved = new Set(['csrf_token', 'acting_as', 'key', 'press'])

const draftsPath = '/drafts'
const prefix = 'draft '
const sentKey = 'draft-sent'

export interface LocalDraft {
  readonly at: number
  /** Makes the post one, however often it is sent. */
  readonly key?: string
  readonly fields: Readonly<Record<string, string>>
}

/** Drafts that the device keeps for an account, by their keys in its storage. */
export function draftsOf(account: string, storage: Storage): readonly (readonly [string, LocalDraft])[] {
  return Object.entries(storage).flatMap(([key, text]) => {
    if (!key.startsWith(`${prefix}${account} `)) return []
    const draft: unknown = JSON.parse(String(text))
    return isDraft(draft) && (draft.fields['status'] ?? '').trim() !== '' ? [[key, draft] as const] : []
  })
}

function isDraft(value: unknown): value is LocalDraft {
  return typeof value === 'object' && value !== null && 'at' in value && 'fields' in value
}

type Render = (fields: Readonly<Record<string, string>>) => Promise<void>

/** Deletes the draft that a form was sent with, once a page came that is not that form again. */
export function forgetSentDraft(context: string | undefined): void {
  const sent = sessionStorage.getItem(sentKey)
  sessionStorage.removeItem(sentKey)
  if (sent !== null && sent !== context) localStorage.removeItem(prefix + sent)
}

/**
 * Keeps what is typed: on the device with each key, on the server after a pause. Once the server has it, its copy counts,
 * which another window may delete or publish: the one on the device goes.
 */
export class DraftKeeper {
  readonly #form: HTMLFormElement
  readonly #key: string
  readonly #render: Render | null
  #timer: ReturnType<typeof setTimeout> | undefined
  #savedAt = -between
  readonly #keyField: HTMLInputElement | null

  /** `render` shows a draft that has other posts than the form. */
  constructor(reader: Reader, form: HTMLFormElement, render: Render | null = null) {
    this.#form = form
    this.#render = render
    this.#keyField = form.querySelector('input[name=key]')
    this.#key = prefix + (form.dataset['context'] ?? '')
    form.addEventListener('input', () => this.keep())
    const text = form.querySelector('textarea[name=status]')
    // Typed before this script was there.
    if (text instanceof HTMLTextAreaElement && text.value !== text.defaultValue) this.keep()
    else if (this.#restore()) reader.toasts.show({ text: reader.word('restored') })
  }

  /** Keeps what is typed on the device alone. */
  keepOnDevice(): void {
    const draft: LocalDraft = { at: now(), key: this.#keyField?.value ?? '', fields: fieldsOf(this.#form) }
    localStorage.setItem(this.#key, JSON.stringify(draft))
  }

  keep(): void {
    this.keepOnDevice()
    // The draft of a text that a link brought along would take the place of another.
    if (this.#form.dataset['local'] !== undefined) return
    this.pause()
    const wait = Math.max(pause, this.#savedAt + between - performance.now())
    this.#timer = setTimeout(() => void this.#save(), wait)
  }

  /** Saves nothing more until the next key: the form is on its way, and may delete the draft. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Says that the form was sent: the page after it deletes the draft, unless it is the form again. */
  send(): void {
    sessionStorage.setItem(sentKey, this.#form.dataset['context'] ?? '')
  }

  /** Deletes the draft of this device. */
  forget(): void {
    localStorage.removeItem(this.#key)
  }

  async #save(): Promise<void> {
    this.#savedAt = performance.now()
    const kept = localStorage.getItem(this.#key)
    const body = new URLSearchParams([...new FormData(this.#form)].flatMap(textField))
    body.set('return_to', draftsPath)
    const answer = await reach(draftsPath, { method: 'POST', body })
    // Elsewhere it leads where the session has ended: then the copy on the device stays, as it does where this fails.
    const isSaved = answer?.ok === true && new URL(answer.url).pathname === draftsPath
    if (isSaved && localStorage.getItem(this.#key) === kept) this.forget()
  }

  /** Puts back what was typed on this device after the server had the draft. False where there is nothing newer. */
  #restore(): boolean {
    const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? 'null')
    const saved = Date.parse(this.#form.dataset['saved'] ?? '') || 0
    if (!isDraft(kept) || kept.at <= saved) return false
    const texts = findAll(this.#form, 'textarea[name^=status]', HTMLTextAreaElement)
    const isSameThread = (kept.fields['posts'] ?? '1') === String(texts.length)
    if (isSameThread && texts.every(({ name, value }) => value === (kept.fields[name] ?? ''))) return false
    // A form that came back with an error has what was typed.
    if (document.querySelector('main [role=alert]') !== null) return false
    if (!isSameThread) {
      void this.#render?.(kept.fields)
      return this.#render !== null
    }
    for (const field of this.#form.elements) {
      if (field instanceof HTMLInputElement && field.type === 'radio')
        field.checked = kept.fields[field.name] === field.value
      else if (isTyped(field)) field.value = kept.fields[field.name] ?? field.value
    }
    return true
  }
}

function isTyped(field: Element): field is HTMLTextAreaElement | HTMLSelectElement | HTMLInputElement {
  if (field instanceof HTMLInputElement) return field.type === 'text' || field.type === 'datetime-local'
  return field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
}

function textField([name, value]: [string, FormDataEntryValue]): [string, string][] {
  return typeof value === 'string' ? [[name, value]] : []
}

function fieldsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  const fields = [...new FormData(form)].flatMap(textField)
  return Object.fromEntries(fields.filter(([name]) => !unsaved.has(name)))
}
