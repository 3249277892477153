import { getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import * as schema from './schema'
import { cascadingTables, triggeredWrites } from './schema/write-effects'

/** Binding of a database whose writes are logged. */
export interface ObservedBinding {
  readonly binding: D1Database
  /** Collects the statements prepared from now on; the returned function ends that and returns their texts. */
  recordStatements(): () => readonly string[]
}

/** Counts what statements use, and learns of writes that failed. */
export interface StatementObserver {
  /** Counts statements that are about to be sent. */
  sent(statements: number): void
  /** Counts what D1 reports of statements that were sent together. */
  answered(results: readonly { readonly meta: D1Meta }[]): void
  /** A write failed, or a batch with one. */
  failedWrite(failure: unknown): void
}

/**
 * Wraps a binding: each write is added to `log` once it was sent and answered, whether it succeeded or not. `observer`
 * counts batches, and writes that are sent alone.
 */
export function observeBinding(
  real: D1Database,
  log: WriteLog,
  observer: StatementObserver,
): ObservedBinding {
  const observed = new WeakMap<D1PreparedStatement, { inner: D1PreparedStatement; tables: WrittenTables }>()
  let recorded: string[] | null = null

  const observe = (inner: D1PreparedStatement, tables: WrittenTables): D1PreparedStatement => {
    const statement = new Proxy(inner, {
      get(target, key) {
        if (key === 'bind') return (...values: unknown[]) => observe(target.bind(...values), tables)
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...given: unknown[]) =>
          logged([tables], () => counted(() => Reflect.apply(member, target, given)))
      },
    })
    observed.set(statement, { inner, tables })
    return statement
  }
  const counted = async (run: () => unknown) => {
    observer.sent(1)
    const result = await run()
    if (hasMeta(result)) observer.answered([result])
    return result
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    observer.sent(statements.length)
    const results = await real.batch(statements)
    observer.answered(results)
    return results
  }
  /** Logged after the answer: a read that began before it may not have seen the write. */
  const logged = async <T>(tables: readonly WrittenTables[], run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (failure) {
      observer.failedWrite(failure)
      throw failure
    } finally {
      for (const written of tables) log.add(written)
    }
  }
  const binding = new Proxy(real, {
    get(target, key) {
      if (key === 'prepare')
        return (text: string) => {
          recorded?.push(text)
          const statement = target.prepare(text)
          const tables = writtenTables(text)
          return tables.length === 0 ? statement : observe(statement, tables)
        }
      if (key === 'batch')
        return (statements: D1PreparedStatement[]) => {
          const writes = statements.flatMap((statement) => observed.get(statement) ?? [])
          if (writes.length === 0) return batch(statements)
          const inner = statements.map((statement) => observed.get(statement)?.inner ?? statement)
          return logged(
            writes.map(({ tables }) => tables),
            () => batch(inner),
          )
        }
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return {
    binding,
    recordStatements() {
      const texts: string[] = []
      recorded = texts
      return () => {
        recorded = null
        return texts
      }
    },
  }
}

function hasMeta(result: unknown): result is { readonly meta: D1Meta } {
  return typeof result === 'object' && result !== null && 'meta' in result
}

/** Tables that a statement writes, or `all` where it deletes rows that others refer to. */
type WrittenTables = readonly string[] | 'all'

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

/**
 * Failures that lie in the statement or its values: a broken constraint or guard, SQL that cannot be run, too many
 * parameters. Any other failure of a write is the database's own: a full disk, a quota, a size, a lost connection.
 */
const faultOfStatement =
  /SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG|MISUSE|AUTH)|D1_TYPE_ERROR|number of parameter bindings/

/** A full disk or one that cannot be written, and quotas, in the words of storage in Durable Objects. */
const faultOfStorage =
  /SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|exceeded (?:allowed|maximum|\w+ limit)|limit exceeded/i

/** Whether an object failed because its storage takes no writes, and for no passing reason. */
export function isRefusedStorage(failure: unknown): boolean {
  return faultOfStorage.test(failure instanceof Error ? failure.message : String(failure))
}

/** Whether a write failed for a reason that any other write would meet as well. */
export function isRefusedWrite(failure: unknown): boolean {
  return !faultOfStatement.test(failure instanceof Error ? failure.message : String(failure))
}

const Meta = z.object({
  meta: z.object({ size_after: z.number().default(0), rows_read: z.number().default(0) }),
})

/** Size of the database after a statement, and the rows it read, as D1 reports them with its result. */
export function metaOf(result: unknown): z.output<typeof Meta>['meta'] {
  return Meta.parse(result).meta
}
