import type { EmojiSnapshot } from '../../db/values'
import type { Activity } from './activity'
import { emojisIn, shortcodeOf, tagsOf } from './tags'
import { stringOf } from './text'

/** A Unicode emoji, or the shortcode of a custom one without colons, with its picture. */
export interface RemoteReaction {
  readonly name: string
  readonly emoji: EmojiSnapshot | null
}

const unicodeEmoji = /^\p{RGI_Emoji}$/v
const VARIATION = '\ufe0f'
const MAX_CHARACTERS = 400

// Misskey has no plain like: it sends and shows one as this reaction.
const plainLikes: ReadonlySet<string> = new Set(['❤', '❤️'])

/**
 * The emoji of an EmojiReact, or of a Like as Misskey sends it (`content` or `_misskey_reaction`).
 *
 * Null for a plain Like, a heart sent as Like, and what is no emoji or a custom one whose picture is missing.
 */
export function readReaction(activity: Activity): RemoteReaction | null {
  if (activity.type !== 'Like' && activity.type !== 'EmojiReact') return null
  const { raw } = activity
  const said = stringOf(raw['content']) ?? stringOf(raw['_misskey_reaction']) ?? ''
  const content = said.length > MAX_CHARACTERS ? '' : said.trim()
  if (activity.type === 'Like' && plainLikes.has(content)) return null
  if (unicodeEmoji.test(content)) return { name: content, emoji: null }
  // Some leave out what tells the picture from the letter.
  if (unicodeEmoji.test(content + VARIATION)) return { name: content + VARIATION, emoji: null }
  const name = /^:.+:$/.test(content) ? shortcodeOf(content) : null
  const emoji = name === null ? undefined : emojisIn(tagsOf(raw)).find(({ shortcode }) => shortcode === name)
  return emoji === undefined ? null : { name: emoji.shortcode, emoji }
}
