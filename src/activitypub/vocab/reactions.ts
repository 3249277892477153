import type { EmojiSnapshot } from '../../db/values'
import { readUnicodeEmoji } from '../../lib/emoji'
import { hostOf } from '../../lib/web-address'
import type { Activity } from './activity'
import { idOf, type JsonObject } from './json'
import { emojisIn, shortcodeOf, tagsOf } from './tags'
import { stringOf } from './text'

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
