import { mediaLimits, pollLimits, statusBytes } from '../../../contract/limits'
import { dayMilliseconds } from '../../../lib/days'
import { type AccountId, instantOf } from '../../../lib/ids'
import { utf8Bytes } from '../../../lib/text/bytes'
import type { ArchivedStatus } from '../../../ports/archives'

interface Texts {
  readonly text: string
  readonly content: string
  /** Limit of this server. */
  readonly statusCharacters: number
}

/**
 * Reason why a post of an archive is larger than one that is written here may be; null for one that is not. Characters are not
 * counted: servers of longer posts than here are moved away from too.
 */
export function excessOf(
  { spoilerText, poll, files }: ArchivedStatus,
  { text, content, statusCharacters }: Texts,
): string | null {
  const most = statusBytes(statusCharacters)
  if (utf8Bytes(spoilerText) + utf8Bytes(text) > most.text) return `Its text has more than ${most.text} bytes`
  if (utf8Bytes(content) > most.html) return `Its HTML has more than ${most.html} bytes`
  const mostOfPoll = pollLimits.options * pollLimits.optionBytes
  if (bytesOf(poll?.options ?? []) > mostOfPoll) return `Its poll has more than ${mostOfPoll} bytes`
  if (bytesOf(files.map(({ description }) => description ?? '')) > mediaLimits.descriptionsBytes)
    return `The descriptions of its files have more than ${mediaLimits.descriptionsBytes} bytes`
  return null
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + utf8Bytes(text), 0)
}

/** Age from which a post of an archive may be listed like others. */
const settledMilliseconds = 7 * dayMilliseconds

/**
 * Whether an imported post is for the profile and its own address alone: its date is after the first day of the account here,
 * when it could have been posted here, or less than a week before the import.
 */
export function isProfileOnly(author: AccountId, publishedAt: Date, now: Date): boolean {
  const firstDayEnds = instantOf(author).getTime() + dayMilliseconds
  return publishedAt.getTime() >= Math.min(firstDayEnds, now.getTime() - settledMilliseconds)
}
