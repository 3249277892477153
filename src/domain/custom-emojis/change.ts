import { eq } from 'drizzle-orm'
import { execute } from '../../db/query'
import { customEmojis } from '../../db/schema'
import { NotFound } from '../../errors'
import type { Ctx } from '../../platform/ports'
import { rebuildCachedList } from '../core/cached-lists'
import { Changes, commit } from '../core/changes'
import { keysOfFile } from '../media/pictures'
import { type CustomEmojiRow, ownEmoji } from './find'

/** Disables or enables an emoji, in existing texts too. Enqueues `refresh-emoji`. */
export async function setEmojiDisabled(ctx: Ctx, shortcode: string, disabled: boolean): Promise<void> {
  const { id } = await requireEmoji(ctx, shortcode)
  const changes = new Changes()
    .add(ctx.db.update(customEmojis).set({ disabled }).where(eq(customEmojis.id, id)))
    .enqueue({ kind: 'refresh-emoji', shortcode, after: null })
  await commit(ctx, changes)
  await rebuildCachedList(ctx, 'emojis')
}

/** Sets the category of an emoji in pickers; null clears it. */
export async function setEmojiCategory(ctx: Ctx, shortcode: string, category: string | null): Promise<void> {
  const { id } = await requireEmoji(ctx, shortcode)
  await commit(
    ctx,
    new Changes().add(ctx.db.update(customEmojis).set({ category }).where(eq(customEmojis.id, id))),
  )
  await rebuildCachedList(ctx, 'emojis')
}

/**
 * Deletes an emoji with its picture: existing texts show its shortcode from now on. Enqueues `refresh-emoji` and
 * `delete-files`.
 */
export async function removeEmoji(ctx: Ctx, shortcode: string): Promise<void> {
  const emoji = await requireEmoji(ctx, shortcode)
  const keys = [...keysOfFile(emoji.image), ...keysOfFile(emoji.still)]
  await commit(
    ctx,
    new Changes()
      .add(ctx.db.delete(customEmojis).where(eq(customEmojis.id, emoji.id)))
      .enqueue({ kind: 'delete-files', keys })
      .enqueue({ kind: 'refresh-emoji', shortcode, after: null }),
  )
  await rebuildCachedList(ctx, 'emojis')
}

async function requireEmoji(ctx: Ctx, shortcode: string): Promise<CustomEmojiRow> {
  const emoji = await execute(ctx.db, ownEmoji(ctx, shortcode))
  if (emoji === null) throw new NotFound()
  return emoji
}
