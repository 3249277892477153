import { pollLimits } from '../../contract/limits'
import { Invalid } from '../../errors'
import { problem } from '../../errors/sentences'
import { utf8Bytes } from '../../lib/text/bytes'
import { countGraphemes } from '../../lib/text/count'

/** A requested poll, not yet validated. */
export interface PollDraft {
  readonly options: readonly string[]
  readonly expiresInSeconds: number | undefined
  readonly multiple: boolean
  readonly hideTotals: boolean
}

/** A validated poll. */
export interface ParsedPoll extends PollDraft {
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
