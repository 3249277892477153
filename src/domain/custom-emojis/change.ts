import { and, eq, isNull, sql } from 'drizzle-orm'
import { execute, orNotFound } from '../../db/query'
import { customEmojis } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import { readDimensions } from '../../lib/media/dimensions'
import { firstFrameOf } from '../../lib/media/first-frame'
import { sniffMedia } from '../../lib/media/sniff'
import { stripMetadata } from '../../lib/media/strip'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { outdateCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { freshFolder, type NewFile, withFiles } from '../media/files'
import { withImages } from '../media/kept-pictures'
import { keysOfFile } from '../media/pictures'
import { type CustomEmojiRow, isShortcodeTaken, ownEmoji, ownEmojiById } from './find'

/** Fields of an emoji that administrators change. */
interface EmojiPatch {
  /** Null: under no heading. */
  readonly category?: string | null
  /** A disabled emoji is shown nowhere, in existing texts neither. */
  readonly disabled?: boolean
  readonly visibleInPicker?: boolean
}

/**
 * Changes the fields given. `Invalid` for a category that is too long, `Conflict` where the emoji changed meanwhile.
 * Enqueues `refresh-emoji` where it is disabled or enabled.
 */
export async function updateEmoji(
  ctx: Ctx,
  moderator: Moderator,
  emoji: CustomEmojiRow,
  patch: EmojiPatch,
): Promise<void> {
  const { id, shortcode } = emoji
  const before = patchOf(emoji)
  const fields = { ...before, ...patch }
  const wanted = { ...fields, category: checkedCategory(fields.category) }
  const isSame = sql`exists (select 1 from custom_emojis e where e.id = ${id} and e.category is ${before.category}
    and e.disabled = ${Number(before.disabled)} and e.visible_in_picker = ${Number(before.visibleInPicker)})`
  const changes = new Changes()
    .require(isSame, new Conflict('emoji_changed'))
    .add(ctx.db.update(customEmojis).set(wanted).where(eq(customEmojis.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: emojiTarget(emoji),
    ...changedValues(auditValues(before), auditValues(wanted)),
  })
  if (wanted.disabled !== before.disabled) changes.enqueue({ kind: 'refresh-emoji', shortcode, after: null })
  await commit(ctx, changes)
  await outdateCachedList(ctx, 'emojis')
}

/**
 * Deletes an emoji with its picture: existing texts show its shortcode from now on. Enqueues `refresh-emoji` and
 * `delete-files`. `NotFound` where it was deleted meanwhile.
 */
export async function removeEmoji(ctx: Ctx, moderator: Moderator, emoji: CustomEmojiRow): Promise<void> {
  const { id, shortcode } = emoji
  const keys = [...keysOfFile(emoji.image), ...keysOfFile(emoji.still)]
  const changes = new Changes()
    .require(sql`exists (select 1 from custom_emojis where id = ${id})`, new NotFound())
    .add(ctx.db.delete(customEmojis).where(eq(customEmojis.id, id)))
    .enqueue({ kind: 'delete-files', keys })
    .enqueue({ kind: 'refresh-emoji', shortcode, after: null })
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: emojiTarget(emoji),
    before: auditValues(patchOf(emoji)),
  })
  await commit(ctx, changes)
  await outdateCachedList(ctx, 'emojis')
}

/**
 * Renames a category, for all its emojis; an empty name leaves them without one. A name that another category has merges
 * the two. `NotFound` where no emoji has the category, `Invalid` for a name that is too long.
 */
export async function renameCategory(
  ctx: Ctx,
  moderator: Moderator,
  name: string,
  next: string,
): Promise<void> {
  const category = checkedCategory(next)
  const isNamed = and(isNull(customEmojis.domain), eq(customEmojis.category, name))
  const changes = new Changes()
    .require(
      sql`exists (select 1 from custom_emojis where domain is null and category = ${name})`,
      new NotFound(),
    )
    .add(ctx.db.update(customEmojis).set({ category }).where(isNamed))
  recordAudit(ctx, changes, moderator, {
    action: 'rename',
    target: { type: 'custom_emoji_category', id: null, label: name },
    before: { name },
    after: { name: category },
  })
  await commit(ctx, changes)
  await outdateCachedList(ctx, 'emojis')
}

/** The local custom emoji with this shortcode or id. */
export async function emojiOrNotFound(
  ctx: Ctx,
  named: { readonly shortcode: string } | { readonly id: number },
): Promise<CustomEmojiRow> {
  const found = 'id' in named ? ownEmojiById(ctx, named.id) : ownEmoji(ctx, named.shortcode)
  const emoji = await execute(ctx.db, orNotFound(found))
  return emoji
}

function patchOf({ category, disabled, visibleInPicker }: CustomEmojiRow): Required<EmojiPatch> {
  return { category, disabled, visibleInPicker }
}

function auditValues({ category, disabled, visibleInPicker }: Required<EmojiPatch>) {
  return { category, disabled, visible_in_picker: visibleInPicker }
}

/** Mastodon's limits: other servers would not show larger pictures or other types. */
export const emojiLimits = { bytes: 262_144, sidePixels: 2_048, shortcodeCharacters: 128 } as const

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

interface NewEmoji {
  readonly shortcode: string
  readonly bytes: Uint8Array
  readonly category: string | null
  /** Whether pickers offer it; true by default. Texts show it in any case. */
  readonly visibleInPicker?: boolean
}

const categoryCharacters = 100

/**
 * Adds a picture as a local custom emoji. PNG, GIF or WebP as it is, so that animations survive, with a still version
 * beside an animated one. Enqueues `refresh-emoji`: texts that named it before show it from now on.
 *
 * `Invalid` for a malformed or taken shortcode, and for a file that is no such picture or too large. Returns its id.
 */
export async function addEmoji(ctx: Ctx, moderator: Moderator, order: NewEmoji): Promise<number> {
  const id = await storeEmoji(ctx, order, (changes, row) => {
    const { category, visibleInPicker } = row
    recordAudit(ctx, changes, moderator, {
      action: 'create',
      target: emojiTarget(row),
      after: { category, visible_in_picker: visibleInPicker },
    })
  })
  await outdateCachedList(ctx, 'emojis')
  return id
}

type StoredEmoji = Pick<CustomEmojiRow, 'id' | 'shortcode' | 'category' | 'visibleInPicker'>

/**
 * Stores the picture and the row of a new emoji; `record` adds to the batch. The caller rebuilds the cached list. Errors
 * as `addEmoji`. Returns its id.
 */
export async function storeEmoji(
  ctx: Ctx,
  { shortcode, bytes, visibleInPicker = true, ...order }: NewEmoji,
  record?: (changes: Changes, row: StoredEmoji) => void,
): Promise<number> {
  requireShortcode(shortcode)
  const category = checkedCategory(order.category)
  const picture = readPicture(bytes)
  const id = ctx.ids.next()
  const at = freshFolder(ctx, 'emojis', id)
  const file: NewFile = { key: `${at}/original.${picture.extension}`, ...picture }
  const still = await stillOf(ctx, at, picture)
  const row = {
    id,
    shortcode,
    category,
    visibleInPicker,
    createdAt: ctx.clock.now(),
    image: { key: file.key },
    still: still === null ? null : { key: still.key },
  }
  const changes = new Changes()
    .require(
      sql`not ${isShortcodeTaken(shortcode)}`,
      new Invalid('shortcode_taken', { field: 'shortcode', shortcode }),
    )
    .add(ctx.db.insert(customEmojis).values(row))
    .enqueue({ kind: 'refresh-emoji', shortcode, after: null })
  record?.(changes, row)
  await withFiles(ctx, still === null ? [file] : [file, still], () => commit(ctx, changes))
  return id
}

function emojiTarget({ id, shortcode }: Pick<CustomEmojiRow, 'id' | 'shortcode'>) {
  return { type: 'custom_emoji' as const, id, label: shortcode }
}

/** The category trimmed, blank as null; `Invalid` when too long. Pure. */
export function checkedCategory(category: string | null): string | null {
  const text = category?.trim() ?? ''
  if (text.length > categoryCharacters)
    throw new Invalid('too_long', { field: 'category', max: categoryCharacters })
  return text === '' ? null : text
}

function requireShortcode(shortcode: string): void {
  if (!isShortcode(shortcode)) throw new Invalid('invalid_shortcode', { field: 'shortcode' })
}

/** Whether an emoji may have this shortcode. Pure. */
export function isShortcode(text: string): boolean {
  return /^[A-Za-z0-9_]{2,}$/.test(text) && text.length <= emojiLimits.shortcodeCharacters
}

interface EmojiPicture {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly extension: string
  readonly width: number
  readonly height: number
}

function readPicture(bytes: Uint8Array): EmojiPicture {
  const { bytes: maxBytes, sidePixels } = emojiLimits
  if (bytes.length > maxBytes)
    throw new Invalid('over_kilobytes', { field: 'picture', max: maxBytes / 1_024 })
  const mime = sniffMedia(bytes)?.mime ?? ''
  const extension = extensions[mime]
  if (extension === undefined) throw new Invalid('no_emoji_picture', { field: 'picture' })
  const size = readDimensions(bytes)
  // Comments and metadata may reveal its maker.
  const cleaned = stripMetadata(bytes)
  if (size === null || cleaned === null) throw new Invalid('unreadable', { field: 'picture' })
  if (size.width > sidePixels || size.height > sidePixels)
    throw new Invalid('over_pixels', { field: 'picture', max: sidePixels })
  return { bytes: cleaned, mime, extension, ...size }
}

/** A PNG of the first frame; none of a still PNG. Without an image service, the first frame in its own format. */
async function stillOf(ctx: Ctx, at: string, picture: EmojiPicture): Promise<NewFile | null> {
  const { bytes, mime, extension, width, height } = picture
  if (mime === 'image/png' && sniffMedia(bytes)?.kind === 'image') return null
  return withImages(
    ctx,
    async (images): Promise<NewFile | null> => {
      const still = await images.render(bytes, { width, height, fit: 'scale-down', mime: 'image/png' })
      return { key: `${at}/still.png`, ...still }
    },
    () => {
      const still = firstFrameOf(bytes)
      return still === null ? null : { key: `${at}/still.${extension}`, bytes: still, mime }
    },
  )
}
