import { Parser } from 'htmlparser2'

/** A form as a browser would send it. */
export interface Form {
  readonly action: string
  readonly method: string
  readonly fields: ReadonlyMap<string, string>
  /** Names of what a person fills in. */
  readonly visible: readonly string[]
  readonly buttons: readonly { readonly name: string; readonly value: string }[]
}

interface Draft {
  action: string
  method: string
  fields: Map<string, string>
  visible: string[]
  buttons: { name: string; value: string }[]
}

/** Every form of a page, in order. */
export function readForms(html: string): readonly Form[] {
  const forms: Draft[] = []
  let open: Draft | null = null
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'form') {
        open = startForm(attributes)
        forms.push(open)
      } else if (open !== null) addControl(open, tag, attributes)
    },
    onclosetag(tag) {
      if (tag === 'form') open = null
    },
  })
  parser.end(html)
  return forms
}

type Attributes = Readonly<Record<string, string>>

function startForm({ action = '', method = 'get' }: Attributes): Draft {
  return { action, method: method.toLowerCase(), fields: new Map(), visible: [], buttons: [] }
}

function addControl(form: Draft, tag: string, attributes: Attributes): void {
  const { name = '', value = '', type = 'text' } = attributes
  if (tag === 'button') form.buttons.push({ name, value })
  if (tag !== 'input' && tag !== 'textarea') return
  if (type !== 'hidden') form.visible.push(name)
  const isOff = (type === 'checkbox' || type === 'radio') && attributes['checked'] === undefined
  if (!isOff) form.fields.set(name, value)
}

/** The text a person reads, tags left out. */
export function readText(html: string): string {
  let text = ''
  let silent = 0
  const parser = new Parser({
    onopentag(tag) {
      if (tag === 'head' || tag === 'script' || tag === 'style') silent += 1
    },
    ontext(words) {
      if (silent === 0) text += words
    },
    onclosetag(tag) {
      if (tag === 'head' || tag === 'script' || tag === 'style') silent -= 1
      text += ' '
    },
  })
  parser.end(html)
  return text.replaceAll(/\s+/g, ' ').trim()
}
