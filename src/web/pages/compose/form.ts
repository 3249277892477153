import { pollLimits } from '../../../contract/limits'
import {
  type InteractionPolicy,
  interactionPolicies,
  type QuotePolicy,
  type Visibility,
} from '../../../db/schema/statuses'
import type { Form } from '../../csrf'
import { readMaxId } from '../../pagination'
import { isVisibility } from '../../visibility-labels'
import { readMediaLines, type TypedMedia } from './media-lines'

/** Choices that a composer opens with, before anything is typed. */
export interface Choices {
  readonly warning: string
  readonly visibility: Visibility
  readonly quotePolicy: QuotePolicy
  readonly replyPolicy: InteractionPolicy
  readonly isLocalOnly: boolean
  /** Code of a language; empty for none. */
  readonly language: string
}

/** The words of a post as they were typed so far, and what belongs to them. */
export interface Content {
  readonly text: string
  /** Local time as `datetime-local` has it; empty for now. */
  readonly scheduledAt: string
  readonly media: readonly TypedMedia[]
  readonly poll: TypedPoll | null
  /** Post that it answers, quotes, or changes. */
  readonly replyTo: number | null
  readonly quoted: number | null
  readonly edited: number | null
  /** Makes a repeated form one post. */
  readonly key: string
}

/** A post as it was typed so far. */
export type Typed = Content & Choices

export interface TypedPoll {
  readonly options: readonly string[]
  readonly expiresInSeconds: number
  readonly isMultiple: boolean
}

/** Lengths of polls, in seconds: from five minutes to a week. */
export const pollLengths = [300, 1_800, 3_600, 21_600, 86_400, 259_200, 604_800] as const
export const usualPollLength = 86_400

const quotePolicies = ['public', 'followers', 'nobody'] as const

const fields = [
  'status',
  'spoiler_text',
  'visibility',
  'quote_policy',
  'reply_policy',
  'local_only',
  'language',
  'scheduled_at',
  'reply_to',
  'quote',
  'edit',
  'key',
  'media_ids',
  'has_poll',
  'poll_length',
  'poll_multiple',
]

/** Names of the choices of a poll. */
export const choiceNames = Array.from({ length: pollLimits.options }, (_, index) => `choice_${index}`)

/** Names of the fields of a form. Uploads stay on the server by their ids. */
export function typedFieldsOf(form: Form): readonly string[] {
  return [
    ...fields,
    ...choiceNames,
    ...readMediaLines(form).flatMap(({ id }) => [`description_${id}`, `focus_${id}`]),
  ]
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
  return {
    text: form('status'),
    scheduledAt: form('scheduled_at'),
    media: readMediaLines(form),
    poll: readPoll(form),
    replyTo: idIn(form('reply_to')),
    quoted: idIn(form('quote')),
    edited: idIn(form('edit')),
    key: form('key').slice(0, 100),
  }
}

function readChoices(form: Form, usual: Choices): Choices {
  const [visibility, quotes, replies] = [form('visibility'), form('quote_policy'), form('reply_policy')]
  const unsent = isQuick(form) ? usual : { warning: '', language: '', isLocalOnly: false }
  return {
    warning: form('spoiler_text') || unsent.warning,
    visibility: isVisibility(visibility) ? visibility : usual.visibility,
    quotePolicy: quotePolicies.find((one) => one === quotes) ?? usual.quotePolicy,
    replyPolicy: interactionPolicies.find((one) => one === replies) ?? usual.replyPolicy,
    isLocalOnly: form('local_only') === '1' || unsent.isLocalOnly,
    language: form('language') || unsent.language,
  }
}

/** The id in a text; null for anything that is none. */
export function idIn(text: string): number | null {
  return readMaxId(text) ?? null
}

/** A poll if any of its choices is filled in, or the form shows it. */
function readPoll(form: Form): TypedPoll | null {
  const options = choiceNames.map((name) => form(name))
  if (form('has_poll') !== '1' && options.every((option) => option.trim() === '')) return null
  const length = Number(form('poll_length'))
  return {
    options,
    expiresInSeconds: pollLengths.find((one) => one === length) ?? usualPollLength,
    isMultiple: form('poll_multiple') === '1',
  }
}
