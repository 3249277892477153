import { eq, getTableColumns, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { accounts, users } from '../../db/schema'
import { Conflict, NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { emojisByShortcodes, recordEmojiUses } from '../custom-emojis/shortcodes'
import { withFiles } from '../media/files'
import { keysOfFile, prepareProfilePicture } from '../media/pictures'
import { type AccountRow, accountsByHandles } from './find'
import { checkedPatch, type ProfilePatch, refuseLongHtml } from './profile-patch'
import { profileReferences, renderTexts } from './profile-texts'
import { hasUnprovenLink } from './verify-links'

export type PictureKind = 'avatar' | 'header'

/**
 * Updates the viewer's profile and posting settings; absent keys stay as they are.
 *
 * `Invalid` names every text over its limit, and files that are no pictures; then nothing has changed and no file
 * is left. Emits `account.updated`, enqueues `delete-files` for replaced pictures, and emits `account.unlocked`
 * when followers need no approval any more. A silent update is not published. Source: docs methods/accounts#update_credentials.
 */
export async function updateProfile(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  asked: ProfilePatch,
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): Promise<void> {
  const patch = checkedPatch(asked)
  const { row, ...named } = await gather(ctx, viewer.id, patch)
  const texts = renderTexts(ctx.config, row, patch, named)
  refuseLongHtml(texts)
  const pictures = await preparePictures(ctx, viewer.id, patch)
  const changes = new Changes().add(
    ctx.db
      .update(accounts)
      .set({
        ...copiedColumns(patch),
        ...texts,
        ...Object.fromEntries(pictures.map(({ kind, ref }) => [kind, ref])),
        updatedAt: ctx.clock.now(),
      })
      .where(eq(accounts.id, viewer.id)),
  )
  changes.add(...recordEmojiUses(ctx, { kind: 'account', id: viewer.id }, named.shortcodes))
  if (patch.settings !== undefined) changes.add(setSettings(ctx, viewer.id, patch.settings))
  for (const { kind } of pictures) deletePicture(changes, row, kind)
  if (!isSilent && hasPublicChange(patch)) changes.emit({ kind: 'account.updated', accountId: viewer.id })
  if (!isSilent && texts.fields !== undefined && hasUnprovenLink(texts.fields))
    changes.enqueue({ kind: 'verify-links', accountId: viewer.id })
  if (row.locked && patch.locked === false) changes.emit({ kind: 'account.unlocked', accountId: viewer.id })
  const files = pictures.flatMap((picture) => picture.files)
  await withFiles(ctx, files, () => commit(ctx, changes))
}

/** Resets a picture to the default and clears its description. */
export async function removePicture(ctx: Ctx, viewer: Pick<Viewer, 'id'>, kind: PictureKind): Promise<void> {
  const row = await execute(ctx.db, ownRow(ctx, viewer.id))
  if (row === null) throw new NotFound()
  const cleared =
    kind === 'avatar' ? { avatar: null, avatarDescription: '' } : { header: null, headerDescription: '' }
  const changes = new Changes().add(
    ctx.db
      .update(accounts)
      .set({ ...cleared, updatedAt: ctx.clock.now() })
      .where(eq(accounts.id, viewer.id)),
  )
  deletePicture(changes, row, kind)
  changes.emit({ kind: 'account.updated', accountId: viewer.id })
  await commit(ctx, changes)
}

/** Whether the public profile changes, and not only posting settings. */
function hasPublicChange({ settings: _private, ...shown }: ProfilePatch): boolean {
  return Object.values(shown).some((value) => value !== undefined)
}

async function gather(ctx: Ctx, id: AccountId, patch: ProfilePatch) {
  const { handles, shortcodes } = profileReferences(patch, ctx.config.ownDomains)
  const { row, ...named } = await execute(
    ctx.db,
    combineQueries({
      row: ownRow(ctx, id),
      accounts: accountsByHandles(ctx, handles),
      emojis: emojisByShortcodes(ctx, shortcodes),
    }),
  )
  if (row === null) throw new NotFound()
  return { row, ...named, shortcodes }
}

function ownRow(ctx: Ctx, id: AccountId) {
  return first(ctx.db.select(getTableColumns(accounts)).from(accounts).where(eq(accounts.id, id)))
}

async function preparePictures(ctx: Ctx, id: AccountId, patch: ProfilePatch) {
  const kinds: readonly PictureKind[] = ['avatar', 'header']
  const chosen = kinds.flatMap((kind) => {
    const file = patch[kind]
    return file === undefined ? [] : [{ kind, file }]
  })
  return Promise.all(
    chosen.map(async (wanted) => ({
      kind: wanted.kind,
      ...(await prepareProfilePicture(ctx, id, wanted)),
    })),
  )
}

/** Columns copied from the patch unchanged. */
function copiedColumns(patch: ProfilePatch) {
  const { bot, locked, discoverable, indexable, hideCollections } = patch
  const { showMedia, showMediaReplies, showFeatured, attributionDomains } = patch
  const { avatarDescription, headerDescription } = patch
  // Drizzle leaves undefined columns alone.
  return {
    locked,
    discoverable,
    indexable,
    hideCollections,
    attributionDomains,
    showMedia,
    showMediaReplies,
    showFeatured,
    avatarDescription,
    headerDescription,
    actorType: bot === undefined ? undefined : bot ? ('Service' as const) : ('Person' as const),
  }
}

/**
 * Merged in the database, so that settings changed elsewhere at the same time are not lost; null deletes a setting.
 */
function setSettings(ctx: Ctx, id: AccountId, settings: NonNullable<ProfilePatch['settings']>) {
  return ctx.db
    .update(users)
    .set({ settings: sql`json_patch(${users.settings}, ${JSON.stringify(settings)})` })
    .where(eq(users.accountId, id))
}

/** Enqueues deletion of the old picture after the commit. Of two concurrent updates only one may delete it. */
function deletePicture(changes: Changes, row: AccountRow, kind: PictureKind): void {
  const keys = keysOfFile(row[kind])
  const before = row[kind] === null ? null : JSON.stringify(row[kind])
  changes.require(
    sql`(select json(${accounts[kind]}) is json(${before}) from ${accounts} where ${accounts.id} = ${row.id})`,
    new Conflict('profile_changed'),
  )
  if (keys.length > 0) changes.enqueue({ kind: 'delete-files', keys })
}
