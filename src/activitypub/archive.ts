import { sql } from 'drizzle-orm'
import { execute } from '../db/query'
import type { FileRef } from '../db/values'
import { viewerById } from '../domain/core/viewer'
import { ownStatusesBehind } from '../domain/statuses/archive-export/request-archive'
import type { AccountId, StatusId } from '../lib/ids'
import type { ArchivedActor, ArchiveFile, OutboxPage } from '../ports/archives'
import type { Ctx } from '../ports/ctx'
import { loadActors } from '../view/load/actors'
import { loadNotes, type NoteFacts } from '../view/load/notes'
import { createOrAnnounceActivity } from './serialise/activities'
import { serialiseActor } from './serialise/actor'
import { withContext } from './serialise/document'
import { isObject } from './vocab/json'

/** Statuses of one page: serialising one takes a tenth of a millisecond. */
const statusesOfPage = 40

/**
 * Activities of the next statuses of an account, as its archive has them: also those for followers and named accounts,
 * addressed to these, and local-only ones, which say so. Files are named by their paths in the archive.
 */
export async function archivedOutbox(ctx: Ctx, owner: AccountId, after: StatusId): Promise<OutboxPage> {
  const selection = ownStatusesBehind(owner, after, statusesOfPage)
  const { notes, cursors } = await execute(
    ctx.db,
    loadNotes(ctx, viewerById(owner), selection, { withLocalOnly: true }),
  )
  const shown = notes
    .toReversed()
    .filter(({ status, shared }) => status.reblogOfId === null || shared !== null)
  const found = shown.map((facts) => archivedActivity(ctx, facts))
  return {
    items: found.map(({ item }) => item),
    files: found.flatMap(({ files }) => files),
    next: cursors.length < statusesOfPage ? null : Math.max(...cursors),
  }
}

function archivedActivity(ctx: Ctx, facts: NoteFacts) {
  const activity = createOrAnnounceActivity(ctx.config, ctx.clock.now(), facts)
  const { object } = activity
  if (facts.shared !== null || !isObject(object)) return { item: activity, files: [] }
  const attachments = Array.isArray(object['attachment']) ? object['attachment'] : []
  const files = facts.status.attachments.flatMap(({ id, file }): readonly (ArchiveFile | null)[] => [
    'key' in file
      ? { name: `media_attachments/files/${id}/original${extensionOf(file.key)}`, key: file.key }
      : null,
  ])
  const attachment = attachments.map((document: unknown, index) => {
    const file = files[index]
    return isObject(document) && file != null ? { ...document, url: file.name } : document
  })
  return {
    item: {
      ...activity,
      object: { ...object, attachment, ...(facts.status.localOnly ? { localOnly: true } : {}) },
    },
    files: files.filter((file) => file !== null),
  }
}

function extensionOf(key: string): string {
  return /\.[a-z0-9]{1,8}$/i.exec(key)?.[0] ?? ''
}

/** The actor document of an archive, with its pictures as files. */
export async function archivedActor(ctx: Ctx, owner: AccountId): Promise<ArchivedActor | null> {
  const [facts] = await execute(ctx.db, loadActors(ctx, sql`select ${owner} as id, 0 as cursor`))
  if (facts === undefined) return null
  const { avatar, header } = facts.account
  const pictures = [pictureFile('icon', 'avatar', avatar), pictureFile('image', 'header', header)]
  const document = withContext(serialiseActor(ctx.config, facts))
  const named = pictures.flatMap((picture) =>
    picture === null ? [] : [[picture.property, { type: 'Image', url: picture.file.name }] as const],
  )
  return {
    document: {
      ...document,
      ...Object.fromEntries(named),
      outbox: 'outbox.json',
      likes: 'likes.json',
      bookmarks: 'bookmarks.json',
    },
    files: pictures.flatMap((picture) => (picture === null ? [] : [picture.file])),
  }
}

function pictureFile(property: 'icon' | 'image', name: string, file: FileRef | null) {
  if (file === null || !('key' in file)) return null
  return { property, file: { name: `${name}${extensionOf(file.key)}`, key: file.key } }
}
