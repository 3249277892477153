import { type Audience, readAudience } from './audience'
import { instantOf } from './dates'
import {
  idOf,
  isPlainDocument,
  type JsonObject,
  type Reference,
  referenceOf,
  referencesOf,
  typeAmong,
} from './json'

const activityTypes = [
  'Create',
  'Update',
  'Delete',
  'Announce',
  'Like',
  'EmojiReact',
  'Follow',
  'Accept',
  'Reject',
  'Undo',
  'Block',
  'Flag',
  'Move',
  'Add',
  'Remove',
  'QuoteRequest',
  'ReplyRequest',
  'AnnounceRequest',
  'FeatureRequest',
] as const
/** `UnknownPin` stands for all types nothing here acts on. */
export type ActivityType = (typeof activityTypes)[number] | 'Unknown'

const MAX_OBJECTS = 200

/** Something somebody did, as far as its form goes: who may do so to what is for others to decide. */
export interface Activity extends Audience {
  /** Null for those that are sent once and kept nowhere. */
  readonly id: string | null
  readonly type: ActivityType
  readonly actor: string
  /** The first of `objects`: all but Flag have one. */
  readonly object: Reference | null
  readonly objects: readonly Reference[]
  readonly target: Reference | null
  /** What a request asks for: the quote, answer or Announce, or the collection of a FeatureRequest. */
  readonly instrument: Reference | null
  /** What an Accept brought about: the consent to a quote or to being featured. */
  readonly result: Reference | null
  readonly published: Date | null
  /** The document itself, for readers of what only some kinds have. */
  readonly raw: JsonObject
}

/** Reads an activity, one inside another too. Null for what is no document or names no actor. */
export function readActivity(document: unknown): Activity | null {
  if (!isPlainDocument(document)) return null
  const actor = idOf(document['actor'])
  if (actor === null) return null
  const objects = referencesOf(document['object'], MAX_OBJECTS)
  return {
    ...readAudience(document),
    id: idOf(document['id']),
    type: typeAmong(document, activityTypes) ?? 'Unknown',
    actor,
    object: objects[0] ?? null,
    objects,
    target: referenceOf(document['target']),
    instrument: referenceOf(document['instrument']),
    result: referenceOf(document['result']),
    published: instantOf(document['published']),
    raw: document,
  }
}
