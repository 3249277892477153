import { eq } from 'drizzle-orm'
import { mediaLimits, namedLimits, pollLimits, statusBytes } from '../../contract/limits'
import { countCharacters, countGraphemes } from '../../contract/text/count'
import { findShortcodes } from '../../contract/text/emoji'
import { type ParsedText, parseText } from '../../contract/text/parse'
import { execute, orNotFound } from '../../db/query'
import { statuses } from '../../db/schema'
import type { ContentType, InteractionPolicy, QuotePolicy, Visibility } from '../../db/schema/statuses'
import { Forbidden, Invalid, NotFound } from '../../errors'
import { problem } from '../../errors/sentences'
import type { AccountId, MediaId, StatusId } from '../../lib/ids'
import { utf8Bytes } from '../../lib/text/bytes'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import type { StatusRow } from '../policy/visibility'
import { statusExists, visibleStatus } from './find'

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

/** A requested poll, not yet validated. */
export interface PollDraft {
  readonly options: readonly string[]
  readonly expiresInSeconds: number | undefined
  readonly multiple: boolean
  readonly hideTotals: boolean
}

/** A validated poll. */
interface ParsedPoll extends PollDraft {
  readonly expiresInSeconds: number
}

const minOptions = 2
const { options: maxOptions, optionCharacters: maxOptionCharacters, minSeconds, maxSeconds } = pollLimits

/** Checks bytes too: a grapheme may have any number of them. */
function isTooLong(option: string): boolean {
  return utf8Bytes(option) > pollLimits.optionBytes || countGraphemes(option) > maxOptionCharacters
}

/** Validates a poll and trims its options. Pure; `Invalid` lists every violation in Mastodon's words. */
export function parsePoll(draft: PollDraft): ParsedPoll {
  const options = draft.options.map((option) => option.trim()).filter((option) => option !== '')
  // A missing expiry is refused as too far in the future.
  const expiresInSeconds = draft.expiresInSeconds ?? Number.POSITIVE_INFINITY
  const field = 'choices'
  const problems = [
    ...(options.length < minOptions ? [problem('too_few_choices', { field })] : []),
    ...(options.length > maxOptions ? [problem('too_many_choices', { field, max: maxOptions })] : []),
    ...(options.some(isTooLong) ? [problem('choice_too_long', { field, max: maxOptionCharacters })] : []),
    ...(new Set(options).size < options.length ? [problem('duplicate_choices', { field })] : []),
    ...(expiresInSeconds < minSeconds ? [problem('too_soon', { field: 'deadline' })] : []),
    ...(expiresInSeconds > maxSeconds ? [problem('too_late', { field: 'deadline' })] : []),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  return { ...draft, options, expiresInSeconds }
}

/** True while a status is unpublished because the author of its parent has not approved it yet. */
export function isPendingApproval({ approval }: Pick<StatusRow, 'approval'>): boolean {
  return approval !== null && approval.held !== null
}

/** New quote, reply and reblog policies. Undefined fields keep their value. */
export interface PolicyChange {
  readonly quotePolicy?: QuotePolicy | undefined
  readonly replyPolicy?: InteractionPolicy | undefined
  readonly reblogPolicy?: InteractionPolicy | undefined
}

/**
 * Changes who may quote, reply to and reblog the viewer's own status. Existing interactions stay. Unchanged
 * policies are a no-op. `NotFound` if the viewer may not see the status, `Forbidden` if it is not theirs. Emits
 * `status.updated`.
 */
export async function changeInteractionPolicy(
  ctx: Ctx,
  viewer: Viewer,
  { id, change }: { readonly id: StatusId; readonly change: PolicyChange },
): Promise<void> {
  const status = await execute(ctx.db, orNotFound(visibleStatus(ctx, viewerById(viewer.id), id)))
  if (status.accountId !== viewer.id || status.reblogOfId !== null) throw new Forbidden()
  const { quotePolicy, replyPolicy, reblogPolicy } = status
  const next = {
    quotePolicy: change.quotePolicy ?? quotePolicy,
    replyPolicy: change.replyPolicy ?? replyPolicy,
    reblogPolicy: change.reblogPolicy ?? reblogPolicy,
  }
  if (JSON.stringify(next) === JSON.stringify({ quotePolicy, replyPolicy, reblogPolicy })) return
  const changes = new Changes()
    .require(statusExists(id), new NotFound())
    .add(ctx.db.update(statuses).set(next).where(eq(statuses.id, id)))
    .publish({ kind: 'status.edited', statusId: id })
  if (!status.localOnly) changes.emit({ kind: 'status.updated', accountId: viewer.id, statusId: id })
  await commit(ctx, changes)
}
