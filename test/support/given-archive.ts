import * as z from 'zod'
import { ArchiveImport, ArchiveImportResult } from '../../src/contract/entities/own-account'
import { MediaAttachment } from '../../src/contract/entities/status'
import type { Overrides } from '../../src/wire'
import { as } from './as'
import type { TestAccount } from './given'
import { formOf } from './given-media'
import { archivedActor, type Item } from './mastodon-archive'
import { mediaFile } from './media'

export const importsPath = '/api/fieldfare/v1/archive_imports'

/** The import of the archive of wren, opened by somebody. */
export async function openedImport(by: TestAccount): Promise<ArchiveImport> {
  const answer = await as(by).post(importsPath, { actor: archivedActor })
  return ArchiveImport.parse(answer.body)
}

export interface SentPart {
  readonly items: readonly unknown[]
  readonly uploads?: readonly { readonly url: string; readonly id: string }[]
  readonly overrides?: Overrides
}

/** Sends a part of the archive, and answers what became of its entries. */
export async function importedPart(by: TestAccount, { items, uploads = [], overrides = {} }: SentPart) {
  const { id } = await openedImport(by)
  const answer = await as(by).post(`${importsPath}/${id}/statuses`, { items, uploads }, { overrides })
  return z.array(ArchiveImportResult).parse(answer.body)
}

/** Ids of the statuses that a part became; fails where one was refused. */
export async function importedIds(by: TestAccount, items: readonly Item[]): Promise<string[]> {
  const results = await importedPart(by, { items })
  return results.map(({ id, reason }) => {
    if (id === null) throw new Error(`An entry was refused: ${reason}`)
    return id
  })
}

/** A file of the archive, uploaded. */
export async function archivedUpload(by: TestAccount, url: string, name = 'rgb.png') {
  const { id } = await openedImport(by)
  const answer = await as(by).post(`${importsPath}/${id}/media`, formOf({ file: mediaFile(name) }))
  return { url, id: MediaAttachment.parse(answer.body).id }
}
