import {
  type ContentType,
  contentTypes,
  type InteractionPolicy,
  interactionPolicies,
  type QuotePolicy,
  type Visibility,
} from '../../../db/schema/statuses'
import type { Form } from '../../csrf'
import { readMaxId } from '../../pagination'
import { isVisibility } from '../../visibility-labels'
import { emptyPart, fieldsOfParts, type Part, partFieldsOf, readParts } from './parts'

/** Choices that a composer opens with, before anything is typed. */
export interface Choices {
  readonly warning: string
  readonly visibility: Visibility
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly isLocalOnly: boolean
  readonly contentType: ContentType
  /** Code of a language; empty for none. */
  readonly language: string
}

/** Content of a form, beside its choices: the first post, those that continue it, and what belongs to them. */
export interface Content extends Omit<Part, 'warning'> {
  /** Posts of the same thread, each of which answers the one before. */
  readonly more: readonly Part[]
  /** Posts of the thread that are published already: their number, and the last one, which the first of the form answers. */
  readonly published: { readonly count: number; readonly last: number } | null
  /** Local time as `datetime-local` has it; empty for now. */
  readonly scheduledAt: string
  /** Post that it answers, quotes, or changes. */
  readonly replyTo: number | null
  readonly quoted: number | null
  readonly edited: number | null
  /** Scheduled post that it changes or publishes now. */
  readonly scheduled: number | null
  /** Makes a repeated form the same posts. */
  readonly key: string
}

/** Posts as they were typed so far. */
export type Typed = Content & Choices

const quotePolicies = ['public', 'followers', 'nobody'] as const

const fields = [
  'visibility',
  'quote_policy',
  'reply_policy',
  'local_only',
  'content_type',
  'language',
  'scheduled_at',
  'reply_to',
  'quote',
  'edit',
  'scheduled',
  'key',
  'posts',
  'published',
  'published_last',
]

/** Names of the fields of a form. Uploads stay on the server by their ids. */
export function typedFieldsOf(form: Form): readonly string[] {
  return [...fields, ...partFieldsOf(form)]
}

/** Whether a form has text alone, and takes all else as a composer would open with. */
export function isQuick(form: Form): boolean {
  return form('visibility') === '' && form('edit') === ''
}

/** Reads a form as it was sent. A field that is not there has the usual choice. */
export function readTyped(form: Form, usual: Choices): Typed {
  return { ...readContent(form), ...readChoices(form, usual) }
}

export function readContent(form: Form): Content {
  const [{ text, media, poll }, ...more] = readParts(form)
  const [edited, scheduled] = [idIn(form('edit')), idIn(form('scheduled'))]
  return {
    text,
    media,
    poll,
    more: edited === null && scheduled === null ? more : [],
    published: readPublished(form),
    scheduledAt: form('scheduled_at'),
    replyTo: idIn(form('reply_to')),
    quoted: idIn(form('quote')),
    edited,
    scheduled,
    key: form('key').slice(0, 100),
  }
}

function readPublished(form: Form): Content['published'] {
  const [count, last] = [idIn(form('published')), idIn(form('published_last'))]
  return count === null || last === null ? null : { count, last }
}

/** The posts of a form in their order. */
export function partsOf({ text, warning, media, poll, more }: Typed): readonly Part[] {
  return [{ text, warning, media, poll }, ...more]
}

/** Replaces the posts of a form. */
export function withParts(typed: Typed, [first = emptyPart, ...more]: readonly Part[]): Typed {
  return { ...typed, ...first, more }
}

/** The form with what was typed, after its buttons changed it. */
export function formWith(form: Form, typed: Typed): Form {
  const { published } = typed
  const changed: Readonly<Record<string, string>> = {
    ...fieldsOfParts(partsOf(typed)),
    published: String(published?.count ?? ''),
    published_last: String(published?.last ?? ''),
  }
  return (name) => (Object.hasOwn(changed, name) ? (changed[name] ?? '') : form(name))
}

function readChoices(form: Form, usual: Choices): Choices {
  const [visibility, quotes, replies] = [form('visibility'), form('quote_policy'), form('reply_policy')]
  const unsent = isQuick(form) ? usual : { warning: '', language: '', isLocalOnly: false }
  return {
    warning: form('spoiler_text') || unsent.warning,
    visibility: isVisibility(visibility) ? visibility : usual.visibility,
    quotePolicy: quotePolicies.find((one) => one === quotes) ?? usual.quotePolicy,
    replyPolicy: interactionPolicies.find((one) => one === replies) ?? usual.replyPolicy,
    contentType: contentTypes.find((one) => one === form('content_type')) ?? usual.contentType,
    isLocalOnly: form('local_only') === '1' || unsent.isLocalOnly,
    language: form('language') || unsent.language,
  }
}

/** The id in a text; null for anything that is none. */
export function idIn(text: string): number | null {
  return readMaxId(text) ?? null
}
