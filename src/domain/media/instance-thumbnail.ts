import { execute } from '../../db/query'
import type { FileRef } from '../../db/values'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { readSettings, saveSettings } from '../instance/save-settings'
import { pickSettings } from '../instance/settings'
import { deleteFiles } from './delete-files'
import { freshFolder, withFiles } from './files'
import { keysOfFile, processSitePicture } from './pictures'

/** Settings, and the picture of the server: null takes it away, undefined leaves it. */
export interface SettingsWithThumbnail {
  readonly patch: Readonly<Record<string, unknown>>
  readonly thumbnail: Uint8Array | null | undefined
}

/**
 * Saves settings together with the picture of the server, all or none. The picture is cropped to Mastodon's two sizes,
 * 1200x630 and 2400x1260, and gets a blurhash; files of the previous one are deleted.
 *
 * `Invalid` for what is no picture, is too large or cannot be read, and as in `saveSettings()`.
 */
export async function saveSettingsWithThumbnail(
  ctx: Ctx,
  moderator: Moderator,
  { patch, thumbnail }: SettingsWithThumbnail,
): Promise<void> {
  if ('thumbnailLarge' in patch || 'thumbnailBlurhash' in patch) throw new Invalid('derived_thumbnail')
  if (thumbnail === undefined) return saveSettings(ctx, moderator, patch)
  // Settings that would be refused need no picture drawn.
  readSettings(patch)
  const before = await execute(ctx.db, pickSettings(ctx, ['thumbnail', 'thumbnailLarge']))
  if (thumbnail === null) {
    const none = { thumbnail: null, thumbnailLarge: null, thumbnailBlurhash: null }
    await saveSettings(ctx, moderator, { ...patch, ...none })
  } else {
    const { standard, large, blurhash } = await processSitePicture(ctx, thumbnail)
    const at = freshFolder(ctx, 'site', ctx.ids.next())
    const files = [
      { ...standard, key: `${at}/thumbnail.${standard.extension}` },
      { ...large, key: `${at}/large.${large.extension}` },
    ] as const
    const saved = {
      thumbnail: { key: files[0].key },
      thumbnailLarge: { key: files[1].key },
      thumbnailBlurhash: blurhash,
    }
    await withFiles(ctx, files, () => saveSettings(ctx, moderator, { ...patch, ...saved }))
  }
  await deleteFormer(ctx, [before.thumbnail, before.thumbnailLarge])
}

async function deleteFormer(ctx: Ctx, files: readonly (FileRef | null)[]): Promise<void> {
  const changes = new Changes()
  deleteFiles(changes, files.flatMap(keysOfFile))
  await commit(ctx, changes)
}
