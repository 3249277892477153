import type { Config } from '../../config'
import type { EmojiSnapshot, FileRef, Mention, StatusTag } from '../../db/values'
import { actorUri, collectionUri, emojiUri, taggedUrl, tagUrl } from '../../lib/addresses'
import { mimeOfName } from '../../lib/media/mime'
import type { CollectionFacts } from '../../view/load/collections'
import { fileUrl } from '../../view/urls'
import type { JsonLdObject } from './document'

/** Builds a Mention of an account by actor id: a page address would not be recognised as an account. */
export function mentionTag(config: Config, mention: Mention): JsonLdObject {
  const host = mention.domain ?? config.domain
  return { type: 'Mention', href: mentionedUri(config, mention), name: `@${mention.username}@${host}` }
}

/** Actor id of a mentioned account. */
export function mentionedUri({ origin }: Config, { domain, uri, url, username }: Mention): string {
  return domain === null ? actorUri(origin, username) : (uri ?? url)
}

export function hashtagTag({ origin }: Config, { name, display }: StatusTag): JsonLdObject {
  return { type: 'Hashtag', href: tagUrl(origin, name), name: `#${display}` }
}

/** Builds a featured hashtag of a local account, linking to its statuses with that tag. */
export function featuredTag(
  { origin }: Config,
  username: string,
  { tag, name }: { readonly tag: string; readonly name: string },
): JsonLdObject {
  return { type: 'Hashtag', href: taggedUrl(origin, username, tag), name: `#${name}` }
}

/** Builds a tag for a collection of accounts linked in the text. */
export function collectionTag(
  { origin }: Config,
  { id, ownerName, uri, name }: CollectionFacts,
): JsonLdObject {
  return {
    type: 'FeaturedCollection',
    id: uri ?? collectionUri(actorUri(origin, ownerName), id),
    name,
  }
}

/** Builds an Emoji tag. Texts keep the emojis they use, remote ones included. */
export function emojiTag(config: Config, { shortcode, image }: EmojiSnapshot): JsonLdObject {
  return {
    id: emojiUri(config.origin, shortcode),
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: imageOf(config, image),
  }
}

/** Builds the Emoji tag of a reaction: a remote custom emoji keeps its own server's id. */
export function reactionTag(config: Config, emoji: EmojiSnapshot): JsonLdObject {
  const { shortcode, image, uri } = emoji
  if ('key' in image) return emojiTag(config, emoji)
  const icon = { type: 'Image', url: image.remote }
  return { ...(uri === undefined ? {} : { id: uri }), type: 'Emoji', name: `:${shortcode}:`, icon }
}

/** Builds an Image with its alternative text, if any. */
export function imageOf(config: Config, file: FileRef, description = ''): JsonLdObject {
  const mediaType = mimeOfName('key' in file ? file.key : file.remote)
  return {
    type: 'Image',
    ...(mediaType === null ? {} : { mediaType }),
    url: fileUrl(config, file, null),
    ...(description === '' ? {} : { name: description }),
  }
}
