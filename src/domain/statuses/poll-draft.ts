import { pollLimits } from '../../contract/limits'
import { validationFailed } from '../../errors'
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
  const problems = [
    ...(options.length < minOptions ? ['Choices must have more than one item'] : []),
    ...(options.length > maxOptions ? [`Choices can't contain more than ${maxOptions} items`] : []),
    ...(options.some(isTooLong)
      ? [`Choices cannot be longer than ${maxOptionCharacters} characters each`]
      : []),
    ...(new Set(options).size < options.length ? ['Choices contain duplicate items'] : []),
    ...(expiresInSeconds < minSeconds ? ['Deadline is too soon'] : []),
    ...(expiresInSeconds > maxSeconds ? ['Deadline is too far into the future'] : []),
  ]
  if (problems.length > 0) throw validationFailed(...problems)
  return { ...draft, options, expiresInSeconds }
}
