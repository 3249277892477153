import { and, eq, sql } from 'drizzle-orm'
import { execute, jsonRows } from '../../../db/query'
import { accountArchives, archivePieces } from '../../../db/schema'
import { Conflict } from '../../../errors'
import { cleanJson } from '../../../lib/json'
import type { ArchiveFile } from '../../../ports/archives'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from '../../core/changes'
import { packArchive } from './pack-archive'
import { type AccountArchive, type ArchiveProgress, markedAddresses, runningArchive } from './request-archive'

/** Pages of forty statuses in one step: some twenty statements. */
const pagesOfStep = 3
const marksOfStep = 1_000
/** Positions of pieces: those of a step, then the actor with its pictures, then the files of statuses. */
const actorPosition = 900_000
const filePosition = 1_000_000
/** Time for which a step belongs to one run. A message that failed comes again after a minute. */
const claimMilliseconds = 45_000

/** Result of a step: its progress, and new pieces. */
interface StepResult {
  readonly progress: ArchiveProgress
  readonly pieces?: readonly {
    readonly position: number
    readonly name: string
    readonly key: string
    readonly sizeBytes: number | null
  }[]
}

/**
 * Runs a step of an archive, and leaves the rest to another job: documents are collected, then packed with the files into
 * parts of an upload. Within fifty statements and requests to the media store. A repeated message does nothing.
 */
export async function buildArchive(
  ctx: Ctx,
  { archiveId, step }: { readonly archiveId: number; readonly step: number },
): Promise<Outcome> {
  const archive = await execute(ctx.db, runningArchive(ctx, archiveId))
  if (archive === null) return ignored('the archive is finished, or its owner is gone')
  if (archive.step !== step) return ignored('the step was done before')
  if (!(await claimStep(ctx, archive))) return ignored('another run does the step')
  const { progress, pieces = [] } = await runStage(ctx, archive)
  const changes = new Changes().require(isAtStep(archive), new Conflict('step_done')).add(
    ctx.db
      .update(accountArchives)
      .set({ ...progress, step: step + 1, claimedUntil: 0, progressedAt: ctx.clock.now() })
      .where(eq(accountArchives.id, archiveId)),
  )
  if (pieces.length > 0)
    changes.add(
      ctx.db.run(sql`insert into ${archivePieces} (archive_id, position, name, key, size_bytes)
        select ${archiveId}, item.value ->> 'position', item.value ->> 'name', item.value ->> 'key',
          item.value ->> 'sizeBytes' from ${jsonRows(pieces)} where true on conflict do nothing`),
    )
  if (progress.stage === 'ready')
    changes
      .add(ctx.db.delete(archivePieces).where(eq(archivePieces.archiveId, archiveId)))
      .enqueue({ kind: 'send-archive-email', archiveId })
  else changes.enqueue({ kind: 'build-archive', archiveId, step: step + 1 })
  await commit(ctx, changes)
  return done
}

function isAtStep({ id, step }: AccountArchive) {
  return sql`exists (select 1 from account_archives where id = ${id} and step = ${step})`
}

async function claimStep(ctx: Ctx, { id, step }: AccountArchive): Promise<boolean> {
  const now = ctx.clock.now().getTime()
  const isFree = and(
    eq(accountArchives.id, id),
    eq(accountArchives.step, step),
    sql`${accountArchives.claimedUntil} <= ${now}`,
  )
  const claim = ctx.db
    .update(accountArchives)
    .set({ claimedUntil: now + claimMilliseconds })
    .where(isFree)
  const [changed] = await commit(ctx, new Changes().add(claim))
  return changed === 1
}

function runStage(ctx: Ctx, archive: AccountArchive): Promise<StepResult> {
  switch (archive.stage) {
    case 'outbox':
      return collectOutbox(ctx, archive)
    case 'favourites':
    case 'bookmarks':
      return collectMarks(ctx, archive, archive.stage)
    default:
      return packArchive(ctx, archive).then((progress) => ({ progress }))
  }
}

async function collectOutbox(ctx: Ctx, archive: AccountArchive): Promise<StepResult> {
  const items: object[] = []
  const files: ArchiveFile[] = []
  let { after } = archive
  let isOver = false
  for (let page = 0; page < pagesOfStep && !isOver; page += 1) {
    const found = await ctx.archiveDocuments.outbox(archive.accountId, after)
    items.push(...found.items)
    files.push(...found.files)
    isOver = found.next === null
    after = found.next ?? after
  }
  const piece = await storeList(ctx, archive, { name: 'outbox', items, isOver })
  const placed = files.map((file, index) => ({
    ...file,
    position: filePosition + archive.piece + index,
    sizeBytes: null,
  }))
  const filesSoFar = archive.piece + files.length
  return {
    pieces: [piece, ...placed],
    progress: isOver
      ? { stage: 'favourites', after: 0, items: 0, piece: filesSoFar }
      : { after, items: archive.items + items.length, piece: filesSoFar },
  }
}

async function collectMarks(
  ctx: Ctx,
  archive: AccountArchive,
  table: 'favourites' | 'bookmarks',
): Promise<StepResult> {
  const { accountId: owner, after } = archive
  const found = await execute(ctx.db, markedAddresses(ctx, { owner, table, after, limit: marksOfStep }))
  const isOver = found.length < marksOfStep
  const name = table === 'favourites' ? 'likes' : 'bookmarks'
  const piece = await storeList(ctx, archive, { name, items: found.map(({ uri }) => uri), isOver })
  if (!isOver)
    return {
      pieces: [piece],
      progress: { after: found.at(-1)?.id ?? after, items: archive.items + found.length },
    }
  if (table === 'favourites') return { pieces: [piece], progress: { stage: 'bookmarks', after: 0, items: 0 } }
  return { pieces: [piece, ...(await actorPieces(ctx, archive))], progress: { stage: 'packing', piece: 0 } }
}

interface List {
  readonly name: 'outbox' | 'likes' | 'bookmarks'
  readonly items: readonly unknown[]
  readonly isOver: boolean
}

/** Stores the next entries of a collection. Its first piece opens the document, its last one closes it. */
async function storeList(ctx: Ctx, archive: AccountArchive, { name, items, isOver }: List) {
  const isFirst = archive.after === 0
  const open = isFirst
    ? `{"@context":"https://www.w3.org/ns/activitystreams","id":"${name}.json","type":"OrderedCollection","orderedItems":[`
    : ''
  const separator = archive.items > 0 && items.length > 0 ? ',' : ''
  const close = isOver ? `],"totalItems":${archive.items + items.length}}` : ''
  const text = `${open}${separator}${items.map(cleanJson).join(',')}${close}`
  return storeText(ctx, archive, { name: `${name}.json`, text, position: archive.step })
}

async function actorPieces(ctx: Ctx, archive: AccountArchive) {
  const actor = await ctx.archiveDocuments.actor(archive.accountId)
  if (actor === null) return []
  const text = cleanJson(actor.document)
  const piece = await storeText(ctx, archive, { name: 'actor.json', text, position: actorPosition })
  const pictures = actor.files.map((file, index) => ({
    ...file,
    position: actorPosition + 1 + index,
    sizeBytes: null,
  }))
  return [piece, ...pictures]
}

async function storeText(
  ctx: Ctx,
  { folder }: AccountArchive,
  { name, text, position }: { readonly name: string; readonly text: string; readonly position: number },
) {
  const bytes = new TextEncoder().encode(text)
  const key = `${folder}/pieces/${position}`
  await ctx.files.put(key, bytes, 'application/json')
  return { name, key, position, sizeBytes: bytes.length }
}
