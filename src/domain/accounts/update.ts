import { eq, getTableColumns, sql } from 'drizzle-orm'
import { acctOf, namesOfAccount, profileUrl, tagUrl } from '../../contract/addresses'
import { ownSpelledOut } from '../../contract/handle'
import { namedLimits } from '../../contract/limits'
import { findShortcodes } from '../../contract/text/emoji'
import { parseText } from '../../contract/text/parse'
import { findFieldLinks, renderFieldValue, renderPlainText, type TextLinks } from '../../contract/text/render'
import { mentionKey } from '../../contract/text/scan'
import { combineQueries, execute, first, orNotFound } from '../../db/query'
import { accounts, users } from '../../db/schema'
import type { EmojiSnapshot, ProfileField } from '../../db/values'
import { Conflict, NotFound, Unreachable } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { emojisByShortcodes, recordEmojiUses } from '../custom-emojis/shortcodes'
import { linksBack } from '../links/fetch-page'
import { withFiles } from '../media/files'
import { keysOfFile, prepareProfilePicture } from '../media/pictures'
import { type AccountRow, accountsByHandles, type Mentionable } from './find'
import { checkedPatch, type ProfilePatch, refuseLongHtml } from './profile-patch'

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
  const row = await execute(ctx.db, orNotFound(ownRow(ctx, viewer.id)))
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

type Texts = Pick<AccountRow, 'displayName' | 'note' | 'noteHtml' | 'fields' | 'emojis'>

/** Handles and shortcodes in the texts of a patch, to be looked up before rendering. */
function profileReferences(patch: ProfilePatch, ownDomains: readonly string[]) {
  const bodies = [patch.note ?? '', ...(patch.fields ?? []).map(({ value }) => value)]
  const mentions = bodies.flatMap((text) => [...parseText(text, 'text/plain').mentions])
  const named = [patch.displayName ?? '', ...bodies, ...(patch.fields ?? []).map(({ name }) => name)]
  return {
    handles: mentions.map((mention) => ownSpelledOut(mention, ownDomains)),
    shortcodes: [...new Set(named.flatMap(findShortcodes))].slice(0, namedLimits.emojis),
  }
}

interface ResolvedReferences {
  readonly accounts: readonly Mentionable[]
  readonly emojis: readonly EmojiSnapshot[]
}

/**
 * Columns changed by a patch of the texts. Pure.
 *
 * A field whose value stays the same keeps the proof that its page links back. Emojis of unchanged texts are kept
 * as stored; those no text names any more are dropped.
 */
function renderTexts(
  place: { readonly origin: string; readonly ownDomains: readonly string[] },
  row: Texts,
  patch: ProfilePatch,
  named: ResolvedReferences,
): Partial<Texts> {
  const links = linksTo(place, named.accounts)
  const fields = patch.fields?.map(({ name, value }): ProfileField => {
    const before = row.fields.find((field) => field.value === value)
    return { name, value, html: renderFieldValue(value, links), verifiedAt: before?.verifiedAt ?? null }
  })
  const after = {
    ...(patch.displayName === undefined ? {} : { displayName: patch.displayName.trim() }),
    ...(patch.note === undefined ? {} : { note: patch.note, noteHtml: renderPlainText(patch.note, links) }),
    ...(fields === undefined ? {} : { fields }),
  }
  return Object.keys(after).length === 0
    ? {}
    : { ...after, emojis: emojisOf({ ...row, ...after }, [...named.emojis, ...row.emojis]) }
}

function emojisOf(texts: Texts, known: readonly EmojiSnapshot[]): EmojiSnapshot[] {
  const all = [texts.displayName, texts.note, ...texts.fields.flatMap(({ name, value }) => [name, value])]
  const shortcodes = new Set(all.flatMap(findShortcodes))
  return [...shortcodes].flatMap((code) => known.find(({ shortcode }) => shortcode === code) ?? [])
}

function linksTo(
  { origin, ownDomains }: { readonly origin: string; readonly ownDomains: readonly string[] },
  known: readonly Mentionable[],
): TextLinks {
  const byKey = new Map(known.map((account) => [mentionKey(account), account]))
  return {
    mention: (mention) => {
      const account = byKey.get(mentionKey(ownSpelledOut(mention, ownDomains)))
      if (account === undefined || account.suspendedAt !== null) return null
      const url = account.url ?? account.uri ?? profileUrl(origin, account.username)
      return { url, username: account.username, acct: acctOf(account) }
    },
    tagUrl: (name) => tagUrl(origin, name),
  }
}

/** Whether some field has a link whose page was not found to link back. */
function hasUnprovenLink(fields: readonly ProfileField[]): boolean {
  return unprovenLinks(fields).some((link) => link !== null)
}

function unprovenLinks(fields: readonly ProfileField[]): readonly (string | null)[] {
  const links = findFieldLinks(fields.map(({ value }) => value))
  return links.map((link, index) => (fields[index]?.verifiedAt === null ? link : null))
}

/**
 * Fetches the pages that fields of a local account consist of, and marks the fields whose page links back to the account
 * with rel="me". What cannot be fetched stays unmarked until the profile is saved again. Emits `account.updated`.
 */
export async function verifyLinks(ctx: Ctx, id: AccountId): Promise<Outcome> {
  const { username, domain, fields, suspendedAt } = accounts
  const found = await execute(
    ctx.db,
    first(ctx.db.select({ username, domain, fields, suspendedAt }).from(accounts).where(eq(accounts.id, id))),
  )
  if (found === null || found.domain !== null || found.suspendedAt !== null)
    return ignored('the account is gone')
  const own = namesOfAccount(ctx.config.origin, found.username)
  const proofs = await Promise.all(
    unprovenLinks(found.fields).map((link) => (link === null ? false : isProven(ctx, link, own))),
  )
  if (!proofs.includes(true)) return done
  const verifiedAt = ctx.clock.now().getTime()
  const marked = found.fields.map((field, index) =>
    proofs[index] === true ? { ...field, verifiedAt } : field,
  )
  const isUnchanged = sql`exists (select 1 from accounts
    where id = ${id} and fields = ${JSON.stringify(found.fields)})`
  const changes = new Changes()
    .require(isUnchanged, new Conflict('profile_changed_meanwhile'))
    .add(
      ctx.db.update(accounts).set({ fields: marked, updatedAt: ctx.clock.now() }).where(eq(accounts.id, id)),
    )
    .emit({ kind: 'account.updated', accountId: id })
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure instanceof Conflict)
      return ignored('the profile was changed meanwhile, which is verified by itself')
    throw failure
  }
}

async function isProven(ctx: Ctx, link: string, own: readonly string[]): Promise<boolean> {
  try {
    return await linksBack(ctx, link, own)
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    ctx.log.info('Failed to fetch the page of a profile field', {
      host: URL.parse(link)?.host,
      cause: failure,
    })
    return false
  }
}
