import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Plan } from '../../config'
import { execute, first, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import type { BackupPosition } from '../../db/schema/backups'
import type { Ctx } from '../../ports/ctx'
import { isArchiveKey, type ListedFile } from '../../ports/files'
import { backupKey, backupsFolder, isBackupKey } from './names'
import type { BackupRow } from './state'
import { type DumpedTable, dumpedTables, tablesBehind } from './tables'

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

/** Place of a part, and the plan whose invocation takes it. */
interface Piecework<P> {
  readonly row: BackupRow
  readonly position: P
  readonly plan: Plan
}

/** Takes the next rows: of one table, and of those behind it while there is room. */
export async function takeDatabasePart(
  ctx: Ctx,
  { row, position, plan }: Piecework<DatabasePosition>,
): Promise<TakenPart> {
  const limits = limitsOf[plan]
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
export async function takeMediaPart(
  ctx: Ctx,
  { row, position: { after }, plan }: Piecework<MediaPosition>,
): Promise<TakenPart> {
  const { files, isLast } = await ctx.files.listFacts(after, objectsOf[plan])
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

interface StoredPart {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** Compresses lines and stores them as a file of a backup. */
async function storePart(
  ctx: Ctx,
  part: {
    readonly name: string
    readonly kind: 'database' | 'media'
    readonly number: number
    readonly text: string
  },
): Promise<StoredPart> {
  const packed = await compress(part.text)
  const sha256 = await digest(packed)
  const file = `${part.kind}-${String(part.number).padStart(6, '0')}-${sha256.slice(0, 16)}.jsonl.gz`
  await ctx.files.put(backupKey(part.name, file), packed, 'application/gzip')
  return { file, bytes: packed.length, sha256 }
}

async function compress(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function digest(bytes: Uint8Array): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toHex()
}

/** Values of a primary key. */
export type RowPlace = readonly (number | string)[]
const Place = z.array(z.union([z.number(), z.string()]))

/** Rows of a table that follow each other. */
interface Piece {
  /** A line of JSON for each row: the values of its columns, in their order. */
  readonly lines: readonly string[]
  /** The last of the rows; null where there are none. */
  readonly last: RowPlace | null
  readonly isLast: boolean
}

/** D1 allows 32 arguments to a function. */
const mostArguments = 30

/**
 * Reads the next `most` rows of a table behind `after`, in the order of the primary key. SQLite writes the JSON: a Worker
 * that made it of single values would need several times the CPU.
 */
function readPiece(ctx: Ctx, table: DumpedTable, after: RowPlace | null, most: number): Query<Piece> {
  const key = sql.raw(table.key.map(quoted).join(', '))
  const values = sql.join(
    (after ?? []).map((value) => sql`${value}`),
    sql`, `,
  )
  const behind = after === null ? sql`true` : sql`(${key}) > (${values})`
  const found = ctx.db
    .select({ line: sql<string>`${lineOf(table)}`.as('line') })
    .from(sql.raw(quoted(table.name)))
    .where(sql`${behind} order by ${key} ${limitTo(most)}`)
  return map(rows(found), (read) => {
    const lines = read.map(({ line }) => line)
    const last = lines.at(-1)
    return { lines, last: last === undefined ? null : placeOf(table, last), isLast: lines.length < most }
  })
}

/** Names of the tables behind one that have rows, in their order. A row read for each. */
function filledBehind(ctx: Ctx, table: DumpedTable): Query<string[]> {
  const tables = tablesBehind(table)
  const cells = tables.map(({ name }) => `exists (select 1 from ${quoted(name)})`)
  const found = ctx.db.select({ flags: sql<string>`${sql.raw(listOf(cells))}`.as('flags') }).from(oneRow)
  return map(first(found), (row) => {
    const flags = z.array(z.number()).parse(JSON.parse(row?.flags ?? '[]'))
    return tables.filter((_, index) => flags[index] === 1).map(({ name }) => name)
  })
}

function placeOf({ key, columns }: DumpedTable, line: string): RowPlace {
  const values = z.array(z.unknown()).parse(JSON.parse(line))
  return Place.parse(key.map((name) => values[columns.findIndex((column) => column.name === name)]))
}

/** JSON list of the columns of a row. */
function lineOf({ columns }: DumpedTable): SQL {
  return sql.raw(listOf(columns.map(({ name, isReal }) => (isReal ? exactReal(quoted(name)) : quoted(name)))))
}

/** JSON list of any number of cells. */
function listOf(cells: readonly string[]): string {
  const lists: string[] = []
  for (let start = 0; start < cells.length; start += mostArguments)
    lists.push(`json_array(${cells.slice(start, start + mostArguments).join(', ')})`)
  const [head = 'json_array()', ...tail] = lists
  return tail.reduce((joined, list) => `rtrim(${joined}, ']') || ',' || substr(${list}, 2)`, head)
}

/** SQLite's JSON has 15 digits of a number, of which 17 are needed to read the same one again. */
function exactReal(column: string): string {
  return `case when ${column} is null then null else json(format('%!.17g', ${column})) end`
}

function quoted(name: string): string {
  return `"${name}"`
}
