import type { RemotePoll } from '../../domain/statuses/remote/remote-status'
import { PUBLIC, readAudience } from './audience'
import { instantOf, pastInstantOf } from './dates'
import {
  countOf,
  hasType,
  idOf,
  isObject,
  isPlainDocument,
  isTrue,
  type JsonObject,
  objectsOf,
  totalOf,
} from './json'
import { singleLineOf, stringOf } from './text'

const MAX_OPTIONS = 20
const MAX_OPTION_CHARACTERS = 500

/** Parses the poll of a Question; null without options. */
export function pollOf(question: JsonObject, now: Date): RemotePoll | null {
  const isMultiple = question['anyOf'] !== undefined && question['anyOf'] !== null
  const offered = objectsOf(isMultiple ? question['anyOf'] : question['oneOf'], MAX_OPTIONS)
  const options = new Map(
    offered.map((option) => [
      singleLineOf(option['name'], MAX_OPTION_CHARACTERS),
      totalOf(option['replies']) ?? 0,
    ]),
  )
  options.delete('')
  if (options.size === 0) return null
  return {
    options: [...options.keys()],
    tallies: [...options.values()],
    multiple: isMultiple,
    votersCount: countOf(question['votersCount']),
    expiresAt: instantOf(question['endTime']),
    closedAt: isTrue(question['closed']) ? now : pastInstantOf(question['closed'], now),
  }
}

/** A vote for one choice. Several choices are several votes. */
export interface RemoteVote {
  readonly id: string | null
  /** Null where the note names no author: then it is the signer. */
  readonly author: string | null
  /** Status with the poll. */
  readonly question: string
  /** Option text, verbatim. */
  readonly choice: string
}

/**
 * Parses a vote: a Note with a name and without content that replies to a status and is for one actor only.
 *
 * Any other document yields null and may be a status. The poll's owner checks that the option exists.
 */
export function readVote(document: unknown): RemoteVote | null {
  if (!isPlainDocument(document) || !hasType(document, 'Note')) return null
  const choice = singleLineOf(document['name'], MAX_OPTION_CHARACTERS)
  const question = idOf(document['inReplyTo'])
  const isEmpty = stringOf(document['content']) === null && objectsOf(document['attachment'], 1).length === 0
  if (choice === '' || question === null || !isEmpty || isObject(document['contentMap'])) return null
  const { to, cc } = readAudience(document)
  if (to.length + cc.length > 1 || to.includes(PUBLIC) || cc.includes(PUBLIC)) return null
  return { id: idOf(document['id']), author: idOf(document['attributedTo']), question, choice }
}
