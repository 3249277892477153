import type { ContentType, InteractionPolicy, QuotePolicy, Visibility } from '../../db/schema/statuses'
import { Invalid, validationFailed } from '../../errors'
import type { AccountId, MediaId, StatusId } from '../../lib/ids'
import { mediaLimits, namedLimits, statusBytes } from '../../lib/limits'
import { utf8Bytes } from '../../lib/text/bytes'
import { countCharacters } from '../../lib/text/count'
import { type ParsedText, parseText } from '../../lib/text/parse'
import { findShortcodes } from '../../lib/text/shortcodes'
import { type ParsedPoll, type PollDraft, parsePoll } from './poll-draft'

/** What somebody wants to say, before anything was looked up. Undefined means: as their preferences have it. */
export interface StatusDraft {
  readonly text: string
  readonly spoilerText: string
  readonly contentType?: ContentType | undefined
  readonly visibility?: Visibility | undefined
  readonly sensitive?: boolean | undefined
  /** A code of `lib/language`. */
  readonly language?: string | undefined
  readonly inReplyToId?: StatusId | undefined
  readonly quotedId?: StatusId | undefined
  /** In the order they are to be shown. */
  readonly mediaIds: readonly MediaId[]
  readonly poll?: PollDraft | undefined
  readonly quotePolicy?: QuotePolicy | undefined
  readonly replyPolicy?: InteractionPolicy | undefined
  readonly reblogPolicy?: InteractionPolicy | undefined
  /** Stays on this server, for its people only. So does every answer to such a status. */
  readonly localOnly?: boolean | undefined
  /** When given, mentioning anybody else is refused. */
  readonly allowedMentions?: readonly AccountId[] | undefined
}

/** A draft whose text has been read and which breaks no rule that can be judged without looking anything up. */
export interface ParsedDraft extends Omit<StatusDraft, 'contentType' | 'poll'> {
  readonly contentType: ContentType
  readonly poll: ParsedPoll | undefined
  readonly hasWarning: boolean
  readonly parsed: ParsedText
  /** Of text, warning and poll options. */
  readonly shortcodes: readonly string[]
  /** How many the instance allows. */
  readonly statusCharacters: number
}

const maxAttachments = mediaLimits.perStatus

/**
 * Reads a draft. Pure; `Invalid` for one that is empty, too long, or carries too much.
 *
 * A warning without text becomes the text, as in Mastodon: there is nothing it could hide, but for a quote.
 */
export function parseDraft(
  draft: StatusDraft,
  rules: {
    readonly statusCharacters: number
    readonly contentType: ContentType
    /** Something else already says something: a poll that stays. */
    readonly mayBeBlank?: boolean
    /** It has quoted something from the start. */
    readonly quotes?: boolean
  },
): ParsedDraft {
  const hasWarning = draft.spoilerText.trim() !== ''
  const quotes = draft.quotedId !== undefined || rules.quotes === true
  const warns = hasWarning && (quotes || draft.text.trim() !== '')
  const text = warns || !hasWarning ? draft.text : draft.spoilerText
  const spoilerText = warns ? draft.spoilerText : ''
  const { mediaIds, contentType = rules.contentType } = draft
  const { statusCharacters } = rules
  // What was sent is what a scheduled status keeps, blank parts included.
  if (utf8Bytes(draft.spoilerText) + utf8Bytes(draft.text) > statusBytes(statusCharacters).text)
    throw textTooLong(statusCharacters)
  if (countCharacters(spoilerText) + countCharacters(text) > statusCharacters)
    throw textTooLong(statusCharacters)
  const isAlone = mediaIds.length === 0 && draft.poll === undefined && !quotes && rules.mayBeBlank !== true
  if (text.trim() === '' && isAlone) throw validationFailed("Text can't be blank")
  if (mediaIds.length > maxAttachments) throw new Invalid(`Cannot attach more than ${maxAttachments} files`)
  if (mediaIds.length > 0 && draft.poll !== undefined) throw new Invalid('Cannot attach files to a poll')
  const poll = draft.poll === undefined ? undefined : parsePoll(draft.poll)
  const parsed = parseText(text, contentType)
  refuseManyNames(draft, parsed)
  const shortcodes = findShortcodes([text, spoilerText, ...(poll?.options ?? [])].join('\n'))
  return {
    ...draft,
    text,
    spoilerText,
    contentType,
    hasWarning,
    poll,
    parsed,
    shortcodes: shortcodes.slice(0, namedLimits.emojis),
    statusCharacters,
  }
}

/** Mastodon's refusal of a text that is too long, in characters or in bytes. */
export function textTooLong(statusCharacters: number): Invalid {
  return validationFailed(`Text character limit of ${statusCharacters} exceeded`)
}

function refuseManyNames({ allowedMentions = [] }: StatusDraft, { mentions, hashtags }: ParsedText): void {
  const tooMany = [
    ...(mentions.length > namedLimits.mentions
      ? [`Text mentions too many accounts (maximum is ${namedLimits.mentions})`]
      : []),
    ...(hashtags.length > namedLimits.hashtags
      ? [`Text has too many hashtags (maximum is ${namedLimits.hashtags})`]
      : []),
    ...(allowedMentions.length > namedLimits.allowedMentions
      ? [`Allowed mentions are too many (maximum is ${namedLimits.allowedMentions})`]
      : []),
  ]
  if (tooMany.length > 0) throw validationFailed(...tooMany)
}
