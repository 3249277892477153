import type { Config } from '../../config'
import type { EmojiSnapshot, FileRef, Mention, StatusTag } from '../../db/values'
import { actorUri, collectionUri, emojiUri, taggedUrl, tagUrl } from '../../lib/addresses'
import { mimeOfName } from '../../lib/media/mime'
import type { CollectionFacts } from '../../view/load/collections'
import { fileUrl } from '../../view/urls'
import type { JsonLdObject } from './document'

/** Who is named, by actor id: a page would not be recognised as a person. */
export function mentionTag(config: Config, mention: Mention): JsonLdObject {
  const host = mention.domain ?? config.domain
  return { type: 'Mention', href: mentionedUri(config, mention), name: `@${mention.username}@${host}` }
}

/** The actor id of somebody named in a status. */
export function mentionedUri({ origin }: Config, { domain, uri, url, username }: Mention): string {
  return domain === null ? actorUri(origin, username) : (uri ?? url)
}

export function hashtagTag({ origin }: Config, { name, display }: StatusTag): JsonLdObject {
  return { type: 'Hashtag', href: tagUrl(origin, name), name: `#${display}` }
}

/** A hashtag on the profile of one of our people leads to what they posted with it. */
export function featuredTag(
  { origin }: Config,
  username: string,
  { tag, name }: { readonly tag: string; readonly name: string },
): JsonLdObject {
  return { type: 'Hashtag', href: taggedUrl(origin, username, tag), name: `#${name}` }
}

/** A collection of accounts whose page a text links. */
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

/** Texts keep the emojis they name, pictures of other servers among them. */
export function emojiTag(config: Config, { shortcode, image }: EmojiSnapshot): JsonLdObject {
  return {
    id: emojiUri(config.origin, shortcode),
    type: 'Emoji',
    name: `:${shortcode}:`,
    icon: imageOf(config, image),
  }
}

/** A custom emoji somebody reacts with: one of another server stays that server's. */
export function reactionTag(config: Config, emoji: EmojiSnapshot): JsonLdObject {
  const { shortcode, image, uri } = emoji
  if ('key' in image) return emojiTag(config, emoji)
  const icon = { type: 'Image', url: image.remote }
  return { ...(uri === undefined ? {} : { id: uri }), type: 'Emoji', name: `:${shortcode}:`, icon }
}

/** A picture with what it shows told in words, where there are any. */
export function imageOf(config: Config, file: FileRef, description = ''): JsonLdObject {
  const mediaType = mimeOfName('key' in file ? file.key : file.remote)
  return {
    type: 'Image',
    ...(mediaType === null ? {} : { mediaType }),
    url: fileUrl(config, file, null),
    ...(description === '' ? {} : { name: description }),
  }
}
