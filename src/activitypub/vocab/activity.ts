import { readUnicodeEmoji } from '../../contract/text/emoji'
import type { Visibility } from '../../db/schema/statuses'
import type { EmojiSnapshot } from '../../db/values'
import { hostOf } from '../../lib/web-address'
import {
  idOf,
  instantOf,
  isPlainDocument,
  type JsonObject,
  listOf,
  localizedTextOf,
  plainTextOf,
  type Reference,
  referenceOf,
  referencesOf,
  stringOf,
  typeAmong,
} from './json'
import { emojisIn, shortcodeOf, tagsOf } from './tags'

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

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

const publicNames: ReadonlySet<unknown> = new Set([PUBLIC, 'as:Public', 'Public'])
// Far above any genuine document, and the bound on work for a hostile one.
const MAX_ADDRESSES = 500

/** Addressees, each once; the public collection always by its full address. */
export interface Audience {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

export function readAudience(object: JsonObject): Audience {
  return { to: addressesOf(object['to']), cc: addressesOf(object['cc']) }
}

function addressesOf(value: unknown): readonly string[] {
  const found = listOf(value, MAX_ADDRESSES).flatMap((item) => (isPublic(item) ? PUBLIC : (idOf(item) ?? [])))
  return found.length > 1 ? [...new Set(found)] : found
}

/** Whether a value names the public collection, in any of its spellings. */
export function isPublic(value: unknown): boolean {
  return publicNames.has(value) || (typeof value === 'object' && idOf(value) === PUBLIC)
}

export function isAddressed({ to, cc }: Audience): boolean {
  return to.length > 0 || cc.length > 0
}

/** Derives the visibility. `followers` is the author's followers collection; addressing it means private. */
export function visibilityOf({ to, cc }: Audience, followers: string | null): Visibility {
  if (to.includes(PUBLIC)) return 'public'
  if (cc.includes(PUBLIC)) return 'unlisted'
  if (followers !== null && (to.includes(followers) || cc.includes(followers))) return 'private'
  return 'direct'
}

const widths: readonly Visibility[] = ['direct', 'private', 'unlisted', 'public']

export function narrower(one: Visibility, other: Visibility): Visibility {
  return widths.indexOf(one) <= widths.indexOf(other) ? one : other
}

const MAX_COMMENT = 2_000

/** A report: the ids of accounts and statuses in the order given, and the comment. */
export interface RemoteFlag {
  readonly uris: readonly string[]
  readonly comment: string
}

/** Parses a report. The caller decides which of the ids are accounts. */
export function readFlag(activity: Activity): RemoteFlag | null {
  const uris = [...new Set(activity.objects.flatMap(({ id }) => id ?? []))]
  if (activity.type !== 'Flag' || uris.length === 0) return null
  return { uris, comment: plainTextOf(localizedTextOf(activity.raw, 'content')?.text, MAX_COMMENT) }
}

/** A Unicode emoji, or the shortcode of a custom one without colons, with its picture. */
export interface RemoteReaction {
  readonly name: string
  readonly emoji: { readonly picture: EmojiSnapshot; readonly host: string | null } | null
}

const MAX_CHARACTERS = 400

// Misskey has no plain like: it sends and shows one as this reaction.
const plainLikes: ReadonlySet<string> = new Set(['❤', '❤️'])

/**
 * Parses the emoji of an EmojiReact, or of a Like as Misskey sends it (`content` or `_misskey_reaction`).
 *
 * Null for a plain Like, a heart sent as Like, an invalid emoji, and a custom one without a picture.
 */
export function readReaction(activity: Activity): RemoteReaction | null {
  if (activity.type !== 'Like' && activity.type !== 'EmojiReact') return null
  const { raw } = activity
  const said = stringOf(raw['content']) ?? stringOf(raw['_misskey_reaction']) ?? ''
  const content = said.length > MAX_CHARACTERS ? '' : said.trim()
  if (activity.type === 'Like' && plainLikes.has(content)) return null
  const unicode = readUnicodeEmoji(content)
  if (unicode !== null) return { name: unicode, emoji: null }
  const name = /^:.+:$/.test(content) ? shortcodeOf(content) : null
  return name === null ? null : customEmoji(name, tagsOf(raw))
}

function customEmoji(name: string, tags: readonly JsonObject[]): RemoteReaction | null {
  const tag = tags.find((one) => emojisIn([one])[0]?.shortcode === name)
  const [picture] = tag === undefined ? [] : emojisIn([tag])
  if (tag === undefined || picture === undefined) return null
  const uri = idOf(tag['id'])
  const named = uri === null ? picture : { ...picture, uri }
  return { name, emoji: { picture: named, host: uri === null ? null : hostOf(uri) } }
}
