import { mediaLimits, namedLimits, statusBytes } from '../../contract/limits'
import type { ContentType, InteractionPolicy, QuotePolicy, Visibility } from '../../db/schema/statuses'
import { Invalid } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId, MediaId, StatusId } from '../../lib/ids'
import { utf8Bytes } from '../../lib/text/bytes'
import { countCharacters } from '../../lib/text/count'
import { findShortcodes } from '../../lib/text/emoji'
import { type ParsedText, parseText } from '../../lib/text/parse'
import { type ParsedPoll, type PollDraft, parsePoll } from './poll-draft'

/** Status content as requested, before any lookup. Undefined fields take the author's preferences. */
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
  /** In display order. */
  readonly mediaIds: readonly MediaId[]
  readonly poll?: PollDraft | undefined
  readonly quotePolicy?: QuotePolicy | undefined
  readonly replyPolicy?: InteractionPolicy | undefined
  readonly reblogPolicy?: InteractionPolicy | undefined
  /** Never federated, visible to local accounts only. Replies to it are local-only too. */
  readonly localOnly?: boolean | undefined
  /** If given, mentions of other accounts are refused. */
  readonly allowedMentions?: readonly AccountId[] | undefined
}

/** A draft with parsed text that passes every rule decidable without lookups. */
export interface ParsedDraft extends Omit<StatusDraft, 'contentType' | 'poll'> {
  readonly contentType: ContentType
  readonly poll: ParsedPoll | undefined
  readonly hasWarning: boolean
  readonly parsed: ParsedText
  /** Shortcodes in text, warning and poll options. */
  readonly shortcodes: readonly string[]
  /** Limit of the instance. */
  readonly statusCharacters: number
}

const maxAttachments = mediaLimits.perStatus

/**
 * Parses a draft. Pure; `Invalid` if it is empty, too long, or has too many attachments or mentions.
 *
 * A warning without text becomes the text, as in Mastodon, because it would hide nothing but a quote.
 */
export function parseDraft(
  draft: StatusDraft,
  rules: {
    readonly statusCharacters: number
    readonly contentType: ContentType
    /** True if a poll remains, so the text may be blank. */
    readonly mayBeBlank?: boolean
    /** True if the edited status has a quote. */
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
  // Scheduled statuses store the request unchanged, including blank parts.
  if (utf8Bytes(draft.spoilerText) + utf8Bytes(draft.text) > statusBytes(statusCharacters).text)
    throw textTooLong(statusCharacters)
  if (countCharacters(spoilerText) + countCharacters(text) > statusCharacters)
    throw textTooLong(statusCharacters)
  const isAlone = mediaIds.length === 0 && draft.poll === undefined && !quotes && rules.mayBeBlank !== true
  if (text.trim() === '' && isAlone) throw new Invalid('blank', { field: 'text' })
  if (mediaIds.length > maxAttachments) throw new Invalid('too_many_files', { max: maxAttachments })
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

/** Mastodon's error for a text that is too long, in characters or bytes. */
export function textTooLong(statusCharacters: number): Invalid {
  return new Invalid('status_too_long', { field: 'text', max: statusCharacters })
}

function refuseManyNames({ allowedMentions = [] }: StatusDraft, { mentions, hashtags }: ParsedText): void {
  const tooMany = [
    ...(mentions.length > namedLimits.mentions
      ? [problem('too_many_mentions', { field: 'text', max: namedLimits.mentions })]
      : []),
    ...(hashtags.length > namedLimits.hashtags
      ? [problem('too_many_hashtags', { field: 'text', max: namedLimits.hashtags })]
      : []),
    ...(allowedMentions.length > namedLimits.allowedMentions
      ? [problem('too_many', { field: 'allowed_mentions', max: namedLimits.allowedMentions })]
      : []),
  ]
  if (tooMany.length > 0) throw new Invalid(tooMany)
}
