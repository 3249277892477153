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
  'LikeRequest',
  'FeatureRequest',
] as const
/** Known types; `Unknown` stands for all others. */
export type ActivityType = (typeof activityTypes)[number] | 'Unknown'

const MAX_OBJECTS = 200

/** An activity as parsed, without any check of permissions. */
export interface Activity extends Audience {
  /** Null for transient activities. */
  readonly id: string | null
  readonly type: ActivityType
  readonly actor: string
  /** First of `objects`; only Flag has several. */
  readonly object: Reference | null
  readonly objects: readonly Reference[]
  readonly target: Reference | null
  /** Requested interaction: the quote, reply or Announce, or the collection of a FeatureRequest. */
  readonly instrument: Reference | null
  /** Result of an Accept: the consent to a quote or to being featured. */
  readonly result: Reference | null
  readonly published: Date | null
  /** Document itself, for properties that only some types have. */
  readonly raw: JsonObject
  /** Document before `normalise`: what a proof in it signs. */
  readonly received: JsonObject
}

/** Parses an activity, nested ones too. Null for invalid documents and those without an actor. */
export function readActivity(document: unknown, received?: JsonObject): Activity | null {
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
    received: received ?? document,
  }
}
