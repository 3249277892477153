import { and, eq, isNull, sql } from 'drizzle-orm'
import { execute, orNotFound } from '../../db/query'
import { customEmojis } from '../../db/schema'
import { Conflict, NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { outdateCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { keysOfFile } from '../media/pictures'
import { checkedCategory, emojiTarget } from './add'
import { type CustomEmojiRow, ownEmoji, ownEmojiById } from './find'

/** Fields of an emoji that administrators change. */
export interface EmojiPatch {
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
