import { mediaLimits } from '../../contract/limits'
import type { AttachmentMeta, AttachmentType, Dimensions } from '../../db/values'
import type { RemoteAttachment } from '../../domain/statuses/remote/remote-status'
import { cutTogether, withinBytes } from '../../lib/text/bytes'
import {
  firstOf,
  isObject,
  type JsonObject,
  listOf,
  localizedTextOf,
  numberWithin,
  plainTextOf,
  secondsOf,
  typesOf,
} from './json'
import { type Link, linksOf, mediaTypeOf, pictureLinkOf } from './links'

const MAX_ATTACHMENTS = 16
/** Mastodon's limit for remote media. */
const MAX_DESCRIPTION = 10_000
/** Of all stored file data: all descriptions, and addresses for as many files. */
const MAX_ATTACHMENTS_BYTES = 73_728
const MAX_SIDE = 100_000
const MAX_SECONDS = 10_000_000

const playable = /^(?:image|video|audio)\//

const extensions: Readonly<Record<string, AttachmentType>> = {
  ...kinds('image', 'jpg jpeg jfif png gif webp avif heic heif apng bmp'),
  ...kinds('video', 'mp4 m4v webm mov ogv mkv 3gp'),
  ...kinds('audio', 'mp3 ogg oga wav flac opus aac m4a wma'),
}

function kinds(type: AttachmentType, names: string): Record<string, AttachmentType> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]))
}

/** Media of a status in order, without links to pages and entries without an address. */
export function attachmentsOf(object: JsonObject): readonly RemoteAttachment[] {
  const found = listOf(object['attachment'], MAX_ATTACHMENTS * 2)
    .flatMap((item) => (isObject(item) && !isPageLink(item) ? (attachmentOf(item) ?? []) : []))
    .slice(0, MAX_ATTACHMENTS)
  return withinBytes(shortenDescriptions(found), MAX_ATTACHMENTS_BYTES)
}

/**
 * The page that a status links by an attachment, whose preview its author sees: Mastodon 4.7 adds it as a Link, Lemmy, PieFed
 * and Mbin so name what a post is about. Null without one.
 */
export function attachedPageOf(object: JsonObject): string | null {
  const links = listOf(object['attachment'], MAX_ATTACHMENTS * 2)
    .filter(isObject)
    .filter(isPageLink)
  return linksOf(links.map((link) => link['href']))[0]?.url ?? null
}

/** Truncates the longest descriptions where the total is too long: the files matter more. */
function shortenDescriptions(attachments: readonly RemoteAttachment[]): readonly RemoteAttachment[] {
  const descriptions = cutTogether(
    attachments.map(({ description }) => description ?? ''),
    mediaLimits.descriptionsBytes,
  )
  return attachments.map((attachment, index) => ({
    ...attachment,
    description: descriptions[index] || null,
  }))
}

/**
 * Whether an attachment links to a page. Lemmy attaches pictures as Links: only their media type distinguishes them, or
 * the name of the file. An object with `href` and no type is a Link too.
 */
function isPageLink(object: JsonObject): boolean {
  const types = typesOf(object)
  const isLink = types.includes('Link') || (types.length === 0 && 'href' in object && !('url' in object))
  const mediaType = mediaTypeOf(object)
  const [link] = mediaType === null ? linksOf(object['href']) : []
  return (
    isLink && !playable.test(mediaType ?? '') && (link === undefined || kindByName(link.url) === 'unknown')
  )
}

/** Whether any attachment is sensitive: Misskey flags files, not statuses. */
export function hasSensitiveMedia(object: JsonObject): boolean {
  return listOf(object['attachment'], MAX_ATTACHMENTS * 2).some(
    (item) => isObject(item) && item['sensitive'] === true,
  )
}

/** Reads a file from an object with a `url`: an attachment, or a whole Image, Video or Audio. */
export function attachmentOf(object: JsonObject): RemoteAttachment | null {
  const link = bestOf(linksOf(object['url'] ?? object['href']))
  if (link === null) return null
  const type = kindOf(object, link)
  const words = localizedTextOf(object, 'name') ?? localizedTextOf(object, 'summary')
  return {
    type,
    url: link.url,
    previewUrl:
      type === 'image' ? null : pictureLinkOf(object['icon'] ?? object['preview'] ?? object['image']),
    description: plainTextOf(words?.text, MAX_DESCRIPTION) || null,
    blurhash: blurhashOf(object['blurhash']),
    meta: metaOf(object, link),
  }
}

const MAX_HEIGHT = 720
const pages = /^(?:text\/|application\/(?:x-mpegurl|x-bittorrent|activity|ld))/

/** Selects one of several files of a video: the tallest up to 720, else the smallest; never a page or a playlist. */
function bestOf(links: readonly Link[]): Link | null {
  const height = (link: Link) => numberWithin(link.height, 1, MAX_SIDE) ?? 0
  const media = links
    .filter(({ mediaType }) => mediaType === null || playable.test(mediaType))
    .toSorted((one, other) => height(other) - height(one))
  const fitting = media.find((link) => height(link) <= MAX_HEIGHT) ?? media.at(-1)
  if (fitting !== undefined) return fitting
  const isFile = ({ mediaType, url }: Link) => !pages.test(mediaType ?? '') || kindByName(url) !== 'unknown'
  return links.find(isFile) ?? null
}

/** Attachment type: by media type, else by object type, else by file extension. */
function kindOf(object: JsonObject, link: Link): AttachmentType {
  const mediaType = link.mediaType ?? mediaTypeOf(object) ?? ''
  const [kind] = mediaType.split('/', 1)
  if (kind === 'image' || kind === 'video' || kind === 'audio') return kind
  for (const type of typesOf(object)) {
    if (type === 'Image') return 'image'
    if (type === 'Video') return 'video'
    if (type === 'Audio') return 'audio'
  }
  return kindByName(link.url)
}

function kindByName(url: string): AttachmentType {
  const extension = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(extensions, extension) ? (extensions[extension] ?? 'unknown') : 'unknown'
}

const blurhash = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,200}$/

function blurhashOf(value: unknown): string | null {
  return typeof value === 'string' && blurhash.test(value) ? value : null
}

function metaOf(object: JsonObject, link: Link): AttachmentMeta {
  const original = dimensionsOf(object, link)
  const focus = focusOf(object['focalPoint'])
  return { ...(original === null ? {} : { original }), ...(focus === null ? {} : { focus }) }
}

function dimensionsOf(object: JsonObject, link: Link): Dimensions | null {
  const width = sideOf(object['width']) ?? sideOf(link.width)
  const height = sideOf(object['height']) ?? sideOf(link.height)
  const seconds = numberWithin(secondsOf(object['duration']), 0, MAX_SECONDS)
  const area = width !== null && height !== null
  if (!area && seconds === null) return null
  return {
    ...(area ? { width, height, size: `${width}x${height}`, aspect: width / height } : {}),
    ...(seconds === null ? {} : { duration: seconds }),
  }
}

function sideOf(value: unknown): number | null {
  const side = numberWithin(value, 1, MAX_SIDE)
  return side === null ? null : Math.round(side)
}

function focusOf(value: unknown): { readonly x: number; readonly y: number } | null {
  const [x, y] = listOf(value, 2).map((part) => numberWithin(part, -1, 1))
  return typeof x === 'number' && typeof y === 'number' ? { x, y } : null
}

/** Cover picture of an object without media attachments. */
export function coverOf(object: JsonObject): RemoteAttachment | null {
  const image = firstOf(object['image'])
  if (typeof image === 'string') return attachmentOf({ type: 'Image', url: image })
  return isObject(image) ? attachmentOf({ ...image, type: 'Image' }) : null
}
