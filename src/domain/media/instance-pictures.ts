import { logoKeys, smallLogo } from '../../contract/logo-files'
import { execute } from '../../db/query'
import type { FileRef } from '../../db/values'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { readSettings, saveSettings } from '../instance/save-settings'
import { pickSettings } from '../instance/settings'
import { deleteFiles } from './delete-files'
import { freshFolder, type NewFile, withFiles } from './files'
import { keysOfFile, processLogo, processSitePicture } from './pictures'

/** Settings, and the pictures of the server: null takes one away, undefined leaves it. */
export interface SettingsWithPictures {
  readonly patch: Readonly<Record<string, unknown>>
  readonly thumbnail?: Uint8Array | null | undefined
  readonly logo?: Uint8Array | null | undefined
}

/** Files to store, and the settings that name them. */
interface Drawn {
  readonly files: readonly NewFile[]
  readonly saved: Readonly<Record<string, unknown>>
}

const derived = ['thumbnailLarge', 'thumbnailBlurhash']
const unchanged: Drawn = { files: [], saved: {} }

/**
 * Saves settings together with the pictures of the server, all or none. The thumbnail is cropped to Mastodon's two sizes,
 * 1200x630 and 2400x1260, and gets a blurhash; the logo is cropped to a square in two sizes. Files of previous pictures are
 * deleted.
 *
 * `Invalid` for what is no picture, is too large or cannot be read, and as in `saveSettings()`.
 */
export async function saveSettingsWithPictures(
  ctx: Ctx,
  moderator: Moderator,
  { patch, thumbnail, logo }: SettingsWithPictures,
): Promise<void> {
  if (derived.some((name) => name in patch)) throw new Invalid('derived_thumbnail')
  if (thumbnail === undefined && logo === undefined) return saveSettings(ctx, moderator, patch)
  // Settings that would be refused need no picture drawn.
  readSettings(patch)
  const before = await execute(ctx.db, pickSettings(ctx, ['thumbnail', 'thumbnailLarge', 'logo']))
  const picture = thumbnail === undefined ? unchanged : await drawThumbnail(ctx, thumbnail)
  const mark = logo === undefined ? unchanged : await drawLogo(ctx, logo)
  await withFiles(ctx, [...picture.files, ...mark.files], () =>
    saveSettings(ctx, moderator, { ...patch, ...picture.saved, ...mark.saved }),
  )
  await deleteFormer(ctx, [
    ...(thumbnail === undefined
      ? []
      : [before.thumbnail, before.thumbnailLarge].flatMap((file) => keysOfFile(file))),
    ...(logo === undefined ? [] : keysOfLogo(before.logo)),
  ])
}

async function drawThumbnail(ctx: Ctx, bytes: Uint8Array | null): Promise<Drawn> {
  if (bytes === null)
    return { files: [], saved: { thumbnail: null, thumbnailLarge: null, thumbnailBlurhash: null } }
  const { standard, large, blurhash } = await processSitePicture(ctx, bytes)
  const at = freshFolder(ctx, 'site', ctx.ids.next())
  const files = [
    { ...standard, key: `${at}/thumbnail.${standard.extension}` },
    { ...large, key: `${at}/large.${large.extension}` },
  ] as const
  const [{ key: thumbnail }, { key: thumbnailLarge }] = files
  return {
    files,
    saved: {
      thumbnail: { key: thumbnail },
      thumbnailLarge: { key: thumbnailLarge },
      thumbnailBlurhash: blurhash,
    },
  }
}

async function drawLogo(ctx: Ctx, bytes: Uint8Array | null): Promise<Drawn> {
  if (bytes === null) return { files: [], saved: { logo: null } }
  const { large, small } = await processLogo(ctx, bytes)
  const at = freshFolder(ctx, 'site', ctx.ids.next())
  const keys = logoKeys(at)
  const files =
    small === null
      ? [{ ...large, key: `${at}/logo.${large.extension}` }]
      : [
          { ...large, key: keys.large },
          { ...small, key: keys.small },
        ]
  return { files, saved: { logo: { key: files[0]?.key } } }
}

function keysOfLogo(file: FileRef | null): readonly string[] {
  if (file === null || !('key' in file)) return []
  return [...new Set([file.key, smallLogo(file.key)])]
}

async function deleteFormer(ctx: Ctx, keys: readonly string[]): Promise<void> {
  const changes = new Changes()
  deleteFiles(changes, keys)
  await commit(ctx, changes)
}
