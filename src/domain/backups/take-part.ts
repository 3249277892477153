import type { Plan } from '../../config'
import { execute } from '../../db/query'
import type { BackupPosition } from '../../db/schema/backups'
import { backupsFolder, isBackupKey } from '../../lib/backups'
import { isArchiveKey, type ListedFile } from '../../lib/stored-file'
import type { Ctx } from '../../ports/ctx'
import { filledBehind, type Piece, readPiece } from './read-rows'
import type { BackupRow } from './state'
import { type DumpedTable, dumpedTables } from './tables'
import { type StoredPart, storePart } from './write-part'

/** Part of a backup that was stored, and the place of the next. */
export interface TakenPart {
  /** Null where there was nothing to store. */
  readonly part:
    | (StoredPart & {
        readonly kind: 'database' | 'media'
        readonly contents: Readonly<Record<string, number>>
      })
    | null
  readonly next: BackupPosition
  readonly media: { readonly objects: number; readonly bytes: number }
}

/** Reads of one run, a statement each. */
const mostPieces = 16

/**
 * Size of a part, with which it is full, and rows read at once. To read, compress and hash 192 KiB takes about 5 ms of
 * CPU, of the 10 that the free plan has.
 */
const limitsOf: Readonly<Record<Plan, { readonly bytes: number; readonly rows: number }>> = {
  free: { bytes: 196_608, rows: 150 },
  paid: { bytes: 1_048_576, rows: 600 },
}
const objectsOf: Readonly<Record<Plan, number>> = { free: 400, paid: 1_000 }

const noMedia = { objects: 0, bytes: 0 }
type DatabasePosition = Extract<BackupPosition, { phase: 'database' }>
type MediaPosition = Extract<BackupPosition, { phase: 'media' }>

/** Takes the next rows: of one table, and of those behind it while there is room. */
export async function takeDatabasePart(
  ctx: Ctx,
  row: BackupRow,
  position: DatabasePosition,
): Promise<TakenPart> {
  const limits = limitsOf[ctx.config.plan]
  const texts: string[] = []
  const contents: Record<string, number> = {}
  let bytes = 0
  // Empty tables, which most are on a small server, are passed over.
  let filled: string[] | null = null
  let place: BackupPosition = position
  for (
    let pieces = 0;
    pieces < mostPieces && bytes < limits.bytes && place.phase === 'database';
    pieces += 1
  ) {
    const table: DumpedTable = tableOf(place)
    const piece: Piece = await execute(ctx.db, readPiece(ctx, table, place.after, limits.rows))
    if (piece.lines.length > 0) {
      const text = `${headOf(table)}\n${piece.lines.join('\n')}\n`
      texts.push(text)
      contents[table.name] = (contents[table.name] ?? 0) + piece.lines.length
      bytes += text.length
    }
    if (piece.isLast) {
      filled ??= await execute(ctx.db, filledBehind(ctx, table))
      place = startOf(filled.shift())
    } else place = { ...place, after: piece.last }
  }
  const text = texts.join('')
  if (text === '') return { part: null, next: place, media: noMedia }
  const stored = await storePart(ctx, { name: row.name, kind: 'database', number: row.parts + 1, text })
  return { part: { ...stored, kind: 'database', contents }, next: place, media: noMedia }
}

function tableOf({ table: name }: DatabasePosition): DumpedTable {
  const table = dumpedTables().find((one) => one.name === name)
  if (table === undefined) throw new Error(`There is no table ${name} any more`)
  return table
}

function startOf(table: string | undefined): BackupPosition {
  return table === undefined ? { phase: 'media', after: '' } : { phase: 'database', table, after: null }
}

/** Line before the rows of a table. */
function headOf({ name, columns }: DumpedTable): string {
  return JSON.stringify({ table: name, columns: columns.map((column) => column.name) })
}

/** Lists the next objects of the bucket, those of backups left out. */
export async function takeMediaPart(ctx: Ctx, row: BackupRow, { after }: MediaPosition): Promise<TakenPart> {
  const { files, isLast } = await ctx.files.listFacts(after, objectsOf[ctx.config.plan])
  const listed = files.filter(({ key }) => !isBackupKey(key) && !isArchiveKey(key))
  const last = files.at(-1)?.key
  const next: BackupPosition =
    isLast || last === undefined ? { phase: 'manifest' } : { phase: 'media', after: behindBackups(last) }
  if (listed.length === 0) return { part: null, next, media: noMedia }
  const text = listed.map((file) => `${JSON.stringify(describe(file))}\n`).join('')
  const stored = await storePart(ctx, { name: row.name, kind: 'media', number: row.parts + 1, text })
  const bytes = listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const media = { objects: listed.length, bytes }
  return { part: { ...stored, kind: 'media', contents: { objects: listed.length } }, next, media }
}

/** The key to continue behind: keys of backups are passed over at once. */
function behindBackups(key: string): string {
  return isBackupKey(key) ? `${backupsFolder}\u{10ffff}` : key
}

function describe({ key, sizeBytes, mime, etag, uploadedAt }: ListedFile) {
  return {
    key,
    size: sizeBytes,
    etag: etag.replaceAll('"', ''),
    type: mime,
    uploaded_at: uploadedAt.toISOString(),
  }
}
