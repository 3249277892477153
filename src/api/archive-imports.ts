import * as z from 'zod'
import {
  ArchiveImport,
  ArchiveImportRefusal,
  ArchiveImportResult,
  ArchiveMarkResult,
  ArchiveProfileResult,
} from '../contract/entities/own-account'
import { MediaAttachment } from '../contract/entities/status'
import { Id, Limit, OptionalText, TextList, Upload } from '../contract/scalars'
import { both, constant, execute, orNotFound, type Query } from '../db/query'
import { restoreProfile } from '../domain/accounts/restore-profile'
import { importMarks } from '../domain/interactions/import-marks'
import { attachmentOf } from '../domain/media/find'
import { uploadMedia } from '../domain/media/upload'
import { importsRefused } from '../domain/pruning/room'
import {
  archiveImportsOf,
  findArchiveImport,
  importedAmong,
  refusalsOf,
} from '../domain/statuses/archived/find-imported'
import { importPart } from '../domain/statuses/archived/import-part'
import { openArchiveImport } from '../domain/statuses/archived/open-import'
import { countImportedFile, filesRefused } from '../domain/statuses/archived/totals'
import { type AppError, Invalid, NotFound } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { presentAttachment } from '../view/present/media'
import {
  presentArchiveImport,
  presentArchiveResult,
  presentRestoredProfile,
} from '../view/present/own-account'
import { endpoint, readEndpoint, user } from './endpoint'

/** Entries of one request: sanitising them takes CPU, of which a request on the free plan has ten milliseconds. */
const mostItems = 20
const mostAddresses = 200
const mostMarks = 40
const filesOfItem = 16

const path = '/api/fieldfare/v1/archive_imports'

/** A text between one and 2,048 characters, as addresses are. */
const Address = z.string().min(1).max(2_048)

const Part = z.object({
  id: Id,
  items: z.array(z.unknown()).min(1).max(mostItems),
  // Uploads of this import, by the address that the archive has for the file.
  uploads: z
    .array(z.object({ url: Address, id: Id }))
    .max(mostItems * filesOfItem)
    .default([]),
})

/** Imports of archives of other servers, which the command line and other tools read and send in parts. */
export const archiveImports = [
  endpoint({
    path,
    summary: 'Opens the import of the archive of an account on another server, or goes on with it',
    auth: user('write:statuses'),
    input: z.object({ actor: OptionalText, followers: OptionalText }),
    output: ArchiveImport,
    run: async (ctx, { input: { actor, followers }, viewer }) => {
      if (actor === undefined) throw new Invalid('blank', { field: 'actor' })
      const source = { actorUri: actor, followersUri: followers ?? `${actor}/followers` }
      return presentArchiveImport(await openArchiveImport(ctx, viewer.id, source))
    },
  }),
  readEndpoint({
    path,
    summary: 'Imports of archives, latest first',
    auth: user('read:statuses'),
    output: z.array(ArchiveImport),
    read: (ctx, { as }) => archiveImportsOf(ctx, as.id),
    show: (_ctx, { found }) => found.map(presentArchiveImport),
  }),
  readEndpoint({
    path: `${path}/:id/refusals`,
    summary: 'What an import refused, and why, in the order of the addresses',
    auth: user('read:statuses'),
    input: z.object({ id: Id, after: OptionalText, limit: Limit(40, 200) }),
    output: z.array(ArchiveImportRefusal),
    read: (ctx, { as, input: { id, after = '', limit } }) =>
      both(findArchiveImport(ctx, as.id, id), refusalsOf(ctx, { owner: as.id, id, after, limit })),
    show: (_ctx, { found: [opened, refusals] }) => {
      if (opened === null) throw new NotFound()
      return [...refusals]
    },
  }),
  endpoint({
    path: `${path}/:id/known`,
    summary: 'Those of some addresses that were imported before, which need not be sent again',
    auth: user('write:statuses'),
    input: z.object({ id: Id, uris: TextList.pipe(z.array(Address).max(mostAddresses)) }),
    output: z.array(z.string()),
    run: async (ctx, { input: { id, uris }, viewer }) => {
      await requireImport(ctx, viewer.id, id)
      return (await execute(ctx.db, importedAmong(ctx, viewer.id, uris))).map(({ uri }) => uri)
    },
  }),
  endpoint({
    path: `${path}/:id/media`,
    summary: 'Uploads a file of the archive, counted like other uploads; unused, it is deleted like these',
    auth: user('write:statuses'),
    limit: 'media',
    takesFiles: true,
    input: z.object({ id: Id, file: Upload }),
    output: MediaAttachment,
    run: async (ctx, { input: { id, file }, viewer }) => {
      const source = await requireRoom(ctx, viewer.id, id, filesRefused(ctx, viewer.id))
      const row = await uploadMedia(ctx, viewer, { file }, (bytes) => countImportedFile(ctx, source, bytes))
      return presentAttachment(ctx.config, attachmentOf(row), viewer.id)
    },
  }),
  endpoint({
    path: `${path}/:id/profile`,
    summary: 'Fills what is empty in the own profile from the actor document and pictures of the archive',
    auth: user('write:accounts'),
    limit: 'archives',
    takesFiles: true,
    input: z.object({ id: Id, actor: z.unknown().optional(), avatar: Upload, header: Upload }),
    output: ArchiveProfileResult,
    run: async (ctx, { input: { id, actor, avatar, header }, viewer }) => {
      const { actorUri } = await requireImport(ctx, viewer.id, id)
      const texts = actor === undefined ? null : ctx.readArchivedProfile(actor)
      if (actor !== undefined && texts === null) throw new Invalid('no_actor_document', { field: 'actor' })
      if (texts !== null && texts.actorUri !== actorUri) throw new Invalid('other_actor', { field: 'actor' })
      return presentRestoredProfile(await restoreProfile(ctx, viewer, { texts, avatar, header }))
    },
  }),
  endpoint({
    path: `${path}/:id/statuses`,
    summary: 'Imports entries of an outbox at their original dates, without federating them',
    auth: user('write:statuses'),
    limit: 'archives',
    input: Part,
    output: z.array(ArchiveImportResult),
    run: async (ctx, { input: { id, items, uploads }, viewer }) => {
      const part = {
        source: await requireRoom(ctx, viewer.id, id),
        items,
        uploads: new Map(uploads.map((upload) => [upload.url, upload.id])),
      }
      return (await importPart(ctx, viewer, part)).map(presentArchiveResult)
    },
  }),
  endpoint({
    path: `${path}/:id/marks`,
    summary: 'Favourites or bookmarks statuses that are here, without federating or notifying',
    auth: user('write:statuses'),
    limit: 'archives',
    input: z.object({
      id: Id,
      kind: z.enum(['favourites', 'bookmarks']),
      uris: TextList.pipe(z.array(Address).max(mostMarks)),
    }),
    output: z.array(ArchiveMarkResult),
    run: async (ctx, { input: { id, kind, uris }, viewer }) => {
      await requireRoom(ctx, viewer.id, id)
      const found = await importMarks(ctx, viewer, { importId: id, kind, uris })
      return uris.map((uri) => ({ uri, state: found.has(uri) ? ('marked' as const) : ('unknown' as const) }))
    },
  }),
]

async function requireImport(ctx: Ctx, owner: AccountId, id: number) {
  const found = await execute(ctx.db, orNotFound(findArchiveImport(ctx, owner, id)))
  return found
}

/** The import of an account, while the server has room for what it brings, and `totals` refuse nothing. One round trip. */
async function requireRoom(
  ctx: Ctx,
  owner: AccountId,
  id: number,
  totals: Query<AppError | null> = constant(null),
) {
  const refusals = both(importsRefused(ctx), totals)
  const [found, [full, spent]] = await execute(ctx.db, both(findArchiveImport(ctx, owner, id), refusals))
  if (found === null) throw new NotFound()
  const refusal = full ?? spent
  if (refusal !== null) throw refusal
  return found
}
