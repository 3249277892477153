import { namedLimits } from '../../contract/limits'
import { hashtagLimits, isValidHashtag, normaliseHashtag } from '../../contract/text/hashtag'
import { findEntities } from '../../contract/text/scan'
import type { EmojiSnapshot, StatusTag } from '../../db/values'
import { htmlToText } from '../../lib/html'
import { withinBytes } from '../../lib/text/bytes'
import { parseWebAddress } from '../../lib/web-address'
import { hasType, idOf, type JsonObject, objectsOf, type Reference, stringOf } from './json'
import { linkOf } from './links'

// Limit of all kinds together. Any of many mentions may be of a local account.
const MAX_ENTRIES = 1_000
const { hashtags: MAX_TAGS, emojis: MAX_EMOJIS } = namedLimits
const MAX_TAG_CHARACTERS = hashtagLimits.units
// Stored size: a page has forty statuses.
const MAX_TAGS_BYTES = 12_288
const MAX_EMOJIS_BYTES = 16_384
// Picture addresses are shown twice, each inside a local address of the same length again.
const MAX_EMOJI_ADDRESS = 512

const shortcode = /^[A-Za-z0-9_+-]{1,100}$/

/** Entries of `tag`: mentions, hashtags, emojis and links in one list. */
export function tagsOf(object: JsonObject): readonly JsonObject[] {
  return objectsOf(object['tag'], MAX_ENTRIES)
}

/** Hashtags by their normalised name, each once. `content` is the sanitised HTML of the status. */
export function hashtagsIn(tags: readonly JsonObject[], content: string): readonly StatusTag[] {
  const found = new Map<string, StatusTag>()
  const written = spellingsIn(content)
  for (const tag of tags) {
    if (!hasType(tag, 'Hashtag')) continue
    const sent = hashtagNameOf(tag)
    const display = sent === null ? null : (written.get(normaliseHashtag(sent)) ?? sent)
    const name = display === null ? '' : normaliseHashtag(display)
    if (display === null || name === '' || found.has(name)) continue
    found.set(name, { name, display: isValidHashtag(display) ? display : name })
    if (found.size === MAX_TAGS) break
  }
  return withinBytes([...found.values()], MAX_TAGS_BYTES)
}

const lostByMastodon = /(?!\p{Alphabetic})\p{M}|\u200d/gu

/**
 * Hashtags of a text by what is left of their names where Mastodon sends them without viramas and joiners: `#हिन्दी`
 * arrives under the name `हिनदी`.
 */
function spellingsIn(content: string): ReadonlyMap<string, string> {
  if (content.search(lostByMastodon) === -1) return new Map()
  const displays = findEntities(htmlToText(content)).flatMap((entity) =>
    entity.kind === 'hashtag' ? [entity.hashtag.display] : [],
  )
  const pairs = displays.map(
    (display) => [normaliseHashtag(display.replace(lostByMastodon, '')), display] as const,
  )
  const names = new Set(displays.map(normaliseHashtag))
  return new Map(pairs.filter(([left]) => !names.has(left)))
}

/** Name of a Hashtag as its author wrote it, without the sign. */
export function hashtagNameOf(tag: JsonObject): string | null {
  const name =
    stringOf(tag['name'])
      ?.trim()
      .replace(/^[#＃]/, '') ?? ''
  return name === '' || name.length > MAX_TAG_CHARACTERS ? null : name
}

/** Name of a Hashtag object; null for any other. */
export function featuredTagIn(object: Reference | null): string | null {
  const document = object?.document ?? null
  return document !== null && hasType(document, 'Hashtag') ? hashtagNameOf(document) : null
}

/** Addresses that Mention tags name, each once: ids of actors, or their pages. */
export function mentionsIn(tags: readonly JsonObject[]): readonly string[] {
  const found = new Set<string>()
  for (const tag of tags) {
    const uri = hasType(tag, 'Mention') ? (idOf(tag['href']) ?? idOf(tag['id'])) : null
    if (uri !== null) found.add(uri)
  }
  return [...found]
}

/** Custom emojis by shortcode, each once. Many have no id: name and picture identify them. */
export function emojisIn(tags: readonly JsonObject[]): readonly EmojiSnapshot[] {
  const found = new Map<string, EmojiSnapshot>()
  for (const tag of tags) {
    const emoji = hasType(tag, 'Emoji') ? emojiOf(tag) : null
    if (emoji !== null && !found.has(emoji.shortcode)) found.set(emoji.shortcode, emoji)
    if (found.size === MAX_EMOJIS) break
  }
  return withinBytes([...found.values()], MAX_EMOJIS_BYTES)
}

function emojiOf(tag: JsonObject): EmojiSnapshot | null {
  const name = shortcodeOf(stringOf(tag['name']) ?? '')
  const url = linkOf(tag['icon'])
  if (name === null || url === null || url.length > MAX_EMOJI_ADDRESS) return null
  return { shortcode: name, image: { remote: url } }
}

/**
 * Shortcode without colons and without the host Misskey adds for remote emojis (`:blob@host:`, its own `:blob@.:`).
 */
export function shortcodeOf(name: string): string | null {
  const bare = name.length > 400 ? '' : name.replace(/^:|:$/g, '').replace(/@.*$/, '')
  return shortcode.test(bare) ? bare : null
}

const MAX_COLLECTIONS = 4

/** Ids of linked collections of accounts (FEP-7aa9), each once. */
export function collectionsIn(tags: readonly JsonObject[]): readonly string[] {
  const ids = tags.flatMap((tag) => (hasType(tag, 'FeaturedCollection') ? (idOf(tag) ?? []) : []))
  return [...new Set(ids)].slice(0, MAX_COLLECTIONS)
}

const misskeyQuote = 'https://misskey-hub.net/ns#_misskey_quote'
const objectTypes = /^application\/(?:activity\+json|ld\+json)/i

/** Status that a Link tag quotes (FEP-e232). Links may have other meanings: only those declared as quotes count. */
export function quoteIn(tags: readonly JsonObject[]): string | null {
  const link = tags.find((tag) => hasType(tag, 'Link') && isObjectLink(tag) && isQuoteLink(tag))
  const href = link?.['href']
  return typeof href === 'string' ? parseWebAddress(href) : null
}

function isObjectLink(tag: JsonObject): boolean {
  return objectTypes.test(stringOf(tag['mediaType']) ?? '')
}

function isQuoteLink(tag: JsonObject): boolean {
  const relations = Array.isArray(tag['rel']) ? tag['rel'] : [tag['rel']]
  return relations.includes(misskeyQuote) || /^\s*(?:RE|QT):/i.test(stringOf(tag['name']) ?? '')
}
