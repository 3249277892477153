import { mediaLimits, pollLimits } from '../../../contract/limits'
import type { Form } from '../../csrf'
import { readMediaLines, type TypedMedia } from './media-lines'

/** Words, files and poll of one post as they were typed. */
export interface Part {
  readonly text: string
  readonly warning: string
  readonly media: readonly TypedMedia[]
  readonly poll: TypedPoll | null
}

export interface TypedPoll {
  readonly options: readonly string[]
  readonly expiresInSeconds: number
  readonly isMultiple: boolean
}

/** Most posts of a thread that is written in one go. */
export const mostPosts = 10

/** Lengths of polls, in seconds: from five minutes to a week. */
export const pollLengths = [300, 1_800, 3_600, 21_600, 86_400, 259_200, 604_800] as const
export const usualPollLength = 86_400

/** Names of the choices of a poll. */
export const choiceNames = Array.from({ length: pollLimits.options }, (_, index) => `choice_${index}`)

export const emptyPoll: TypedPoll = { options: [], expiresInSeconds: usualPollLength, isMultiple: false }
export const emptyPart: Part = { text: '', warning: '', media: [], poll: null }

/** Name of a field of the post with this number, which counts from 1. */
export function fieldName(name: string, number: number): string {
  return number === 1 ? name : `${name}_${number}`
}

/** The posts of a form in their order: one at least. */
export function readParts(form: Form): readonly [Part, ...Part[]] {
  const [first = emptyPart, ...more] = formsOfParts(form).map(readPart)
  return [first, ...more]
}

/** Names of the fields that a form has for its posts. */
export function partFieldsOf(form: Form): readonly string[] {
  return formsOfParts(form).flatMap((part, index) =>
    [
      'status',
      'spoiler_text',
      'media_ids',
      'has_poll',
      'poll_length',
      'poll_multiple',
      ...choiceNames,
      ...readMediaLines(part).flatMap(({ id }) => [`description_${id}`, `focus_${id}`]),
    ].map((name) => fieldName(name, index + 1)),
  )
}

/** The fields of a form with these posts. */
export function fieldsOfParts(parts: readonly Part[]): Readonly<Record<string, string>> {
  const fields = parts.flatMap((part, index) =>
    Object.entries(fieldsOf(part)).map(([name, value]) => [fieldName(name, index + 1), value] as const),
  )
  return { ...Object.fromEntries(fields), posts: String(parts.length) }
}

/** A form for each post of a form, with the names of the fields of the first. */
function formsOfParts(form: Form): readonly Form[] {
  const count = Math.min(mostPosts, Math.max(1, Number.parseInt(form('posts'), 10) || 1))
  return Array.from({ length: count }, (_, index) => (name: string) => form(fieldName(name, index + 1)))
}

function readPart(form: Form): Part {
  return {
    text: form('status'),
    warning: form('spoiler_text'),
    media: readMediaLines(form),
    poll: readPoll(form),
  }
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

function fieldsOf({ text, warning, media, poll }: Part): Readonly<Record<string, string>> {
  const words = media.flatMap(({ id, description, focus }) => [
    [`description_${id}`, description],
    [`focus_${id}`, focus],
  ])
  return {
    status: text,
    spoiler_text: warning,
    media_ids: media.map(({ id }) => id).join(','),
    ...Object.fromEntries(words),
    has_poll: poll === null ? '' : '1',
    poll_length: poll === null ? '' : String(poll.expiresInSeconds),
    poll_multiple: poll?.isMultiple === true ? '1' : '',
    ...Object.fromEntries(choiceNames.map((name, index) => [name, poll?.options[index] ?? ''])),
  }
}

/** Whether a post has room for one more file. */
export function hasRoom({ media }: Part): boolean {
  return media.length < mediaLimits.perStatus
}

/** Whether nothing of a post was typed or added. */
export function isEmptyPart({ text, media, poll }: Part): boolean {
  return text.trim() === '' && media.length === 0 && poll === null
}
