import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from './schema'
import { cascadingTables, triggeredWrites } from './schema/write-effects'

/** Tables that a statement writes, or `all` where it deletes rows that others refer to. */
export type WrittenTables = readonly string[] | 'all'

/** Order of the writes to each table that this isolate sent to the database. */
export class WriteLog {
  #position = 0
  #lastToAll = 0
  readonly #last = new Map<string, number>()

  /** Position of the latest write. */
  get position(): number {
    return this.#position
  }

  add(tables: WrittenTables): void {
    this.#position += 1
    if (tables === 'all') this.#lastToAll = this.#position
    else for (const table of tables) this.#last.set(table, this.#position)
  }

  /** Whether none of the tables was written after `position`. */
  isUnwritten(tables: readonly string[], position: number): boolean {
    if (this.#position === position) return true
    return this.#lastToAll <= position && tables.every((table) => (this.#last.get(table) ?? 0) <= position)
  }
}

const writing = /\b(insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from)\s+["`]?(\w+)/gi
const replacing = /^(delete|replace|insert or replace)/i

/** Texts whose tables are kept: an isolate sends a few hundred, again and again. */
const mostTexts = 300
const tablesByText = new Map<string, WrittenTables>()

/** Tables that a statement writes, with those that its triggers write. Empty for a read. */
export function writtenTables(text: string): WrittenTables {
  const known = tablesByText.get(text)
  if (known !== undefined) return known
  if (tablesByText.size >= mostTexts) tablesByText.clear()
  const tables = findWrittenTables(text)
  tablesByText.set(text, tables)
  return tables
}

function findWrittenTables(text: string): WrittenTables {
  // In SQLite no statement that begins so can write.
  if (/^\s*select\b/i.test(text)) return []
  const written = [...text.matchAll(writing)].map(([, verb = '', table = '']) => ({ verb, table }))
  if (written.some(({ verb, table }) => replacing.test(verb) && cascadingTables.has(table))) return 'all'
  return [...new Set(written.flatMap(({ table }) => [table, ...(triggeredWrites.get(table) ?? [])]))]
}

let known: ReadonlySet<string> | null = null

function tableNames(): ReadonlySet<string> {
  known ??= new Set(
    Object.values(schema).flatMap((table) => (is(table, SQLiteTable) ? [getTableName(table)] : [])),
  )
  return known
}

/** Tables that statements name, wherever in them: all that they read, and perhaps more. */
export function namedTables(texts: readonly string[]): readonly string[] {
  const names = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []))
  return [...tableNames()].filter((table) => names.has(table))
}
