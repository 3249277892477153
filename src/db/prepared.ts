import {
  getTableColumns,
  is,
  Param,
  Placeholder,
  type Query as QueryText,
  SQL,
  type SQLWrapper,
  StringChunk,
  sql,
} from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import { SQLiteAsyncDialect, type SQLiteInsertValue, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './query'

/** A statement of which only the number of changed rows is read. */
type Write = RunnableQuery<unknown, 'sqlite'>

/** A select of Drizzle: its text, and what maps its rows. */
interface Select<Row> extends RunnableQuery<Row[], 'sqlite'> {
  prepare(): Mapper & { getQuery(): QueryText }
}

interface Mapper {
  mapResult(response: unknown, isFromBatch?: boolean): unknown
}

/** Differences in the text of a statement; only few combinations exist. */
type Shape = Readonly<Record<string, boolean | string>>

/** Takes the place of a placeholder in one run: a value to bind, or SQL to insert. */
type Argument = SQL | number | string | null

type Values<P extends string> = Readonly<Record<P, Argument>>
type Placeholders<P extends string> = Readonly<Record<P, SQL>>

/**
 * A select whose text is built once in an isolate; every run only fills its placeholders. Building the text of a page took
 * a quarter of the time that its request needed.
 *
 * Everything that differs between requests is a placeholder: a value that `build` binds itself would be that of the first
 * request for all others, and is refused.
 */
export function prepared<P extends string, Row>(
  placeholders: readonly P[],
  build: (db: Db, placeholder: Placeholders<P>) => Select<Row>,
): (db: Db, values: Values<P>) => RunnableQuery<Row[], 'sqlite'> {
  const select = preparedShapes(placeholders, build)
  return (db, values) => select(db, values, {})
}

/** `prepared` for a select whose text has several shapes. */
export function preparedShapes<P extends string, Row, S extends Shape>(
  placeholders: readonly P[],
  build: (db: Db, placeholder: Placeholders<P>, shape: S) => Select<Row>,
): (db: Db, values: Values<P>, shape: S) => RunnableQuery<Row[], 'sqlite'> {
  const inText = placeholdersOf(placeholders)
  const textOf = builtOnce((db, shape: S) => {
    const select = build(db, inText, shape).prepare()
    return new StatementText(select.getQuery(), { mapper: select })
  })
  return (db, values, shape) => new FilledStatement<Row[]>(db, textOf(db, shape), values)
}

/** `prepared` for a statement that writes. */
export function preparedWrite<P extends string>(
  placeholders: readonly P[],
  build: (db: Db, placeholder: Placeholders<P>) => SQLWrapper,
): (db: Db, values: Values<P>) => Write {
  const write = preparedWriteShapes(placeholders, build)
  return (db, values) => write(db, values, {})
}

/** `preparedWrite` for a statement whose text has several shapes. */
export function preparedWriteShapes<P extends string, S extends Shape>(
  placeholders: readonly P[],
  build: (db: Db, placeholder: Placeholders<P>, shape: S) => SQLWrapper,
): (db: Db, values: Values<P>, shape: S) => Write {
  const inText = placeholdersOf(placeholders)
  const textOf = builtOnce(
    (db, shape: S) => new StatementText(dialect.sqlToQuery(build(db, inText, shape).getSQL())),
  )
  return (db, values, shape) => new FilledStatement<unknown>(db, textOf(db, shape), values)
}

/**
 * The statement that inserts a row, its text built once for the columns that are given. Values are encoded as Drizzle
 * encodes those of the column; columns that are absent or undefined get their default.
 */
export function preparedInsert<T extends SQLiteTable>(table: T): (db: Db, row: T['$inferInsert']) => Write {
  const columns = Object.keys(getTableColumns(table))
  const textOf = builtOnce((db, { given }: { readonly given: string }) => {
    const row = Object.fromEntries(given.split(' ').map((name) => [name, sql.placeholder(name)]))
    const isRow = (named: object): named is SQLiteInsertValue<T> =>
      Object.keys(named).every((name) => columns.includes(name))
    if (!isRow(row)) throw new TypeError('An insert names no column')
    return new StatementText(dialect.sqlToQuery(db.insert(table).values(row).getSQL()), { hasDefaults: true })
  })
  return (db, row) => {
    const values: Readonly<Record<string, unknown>> = row
    const given = columns.filter((name) => values[name] !== undefined).join(' ')
    return new FilledStatement<unknown>(db, textOf(db, { given }), values)
  }
}

/**
 * SQL whose text is built once in an isolate, as `prepared` builds that of a select; every use only fills its
 * placeholders. For conditions that are part of many statements.
 */
export function preparedSql<P extends string>(
  placeholders: readonly P[],
  build: (placeholder: Placeholders<P>) => SQL,
): (values: Values<P>) => SQL {
  let text: StatementText | null = null
  return (values) => {
    text ??= new StatementText(dialect.sqlToQuery(build(placeholdersOf(placeholders))))
    return text.filledSql(values)
  }
}

/** Keeps the text of each shape. */
function builtOnce<S extends Shape>(build: (db: Db, shape: S) => StatementText) {
  const texts = new Map<string, StatementText>()
  return (db: Db, shape: S): StatementText => {
    const key = Object.values(shape).join(' ')
    const text = texts.get(key) ?? build(db, shape)
    texts.set(key, text)
    return text
  }
}

function placeholdersOf<P extends string>(names: readonly P[]): Placeholders<P> {
  const inText = Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(name)}`]))
  const hasAll = (named: object): named is Placeholders<P> => names.every((name) => name in named)
  if (!hasAll(inText)) throw new TypeError('A prepared statement lacks a placeholder')
  return inText
}

const dialect = new SQLiteAsyncDialect()

/** Makes the parameter, or the SQL, of a question mark in a text. */
type Slot = (values: Readonly<Record<string, unknown>>) => unknown

interface TextOptions {
  /** Maps the rows; those of writes have none. */
  readonly mapper?: Mapper
  /** The values bound in the text are defaults of columns, the same for every run. */
  readonly hasDefaults?: boolean
}

/** Text of SQL, cut at its placeholders. */
class StatementText {
  readonly #parts: readonly string[]
  readonly #slots: readonly Slot[]
  /** The text where a value is bound at every placeholder: always the same string, whose hash is known. */
  readonly #whole: string
  readonly mapper: Mapper

  constructor({ sql: text, params }: QueryText, { mapper = asItIs, hasDefaults = false }: TextOptions = {}) {
    this.mapper = mapper
    this.#slots = params.map((param) => slotOf(param) ?? constantSlot(param, hasDefaults))
    // Indentation of the source: the text is sent and hashed at every run.
    this.#whole = text.replaceAll(/\s*\n\s*/g, ' ')
    this.#parts = this.#whole.split('?')
    if (this.#parts.length !== params.length + 1)
      throw new TypeError('A prepared statement has a question mark that is no placeholder')
  }

  filledSql(values: Readonly<Record<string, unknown>>): SQL {
    const [first = '', ...rest] = this.#parts
    const chunks = rest.flatMap((part, at) => [this.#slots[at]?.(values) ?? sql`null`, new StringChunk(part)])
    return new SQL([new StringChunk(first), ...chunks])
  }

  fill(values: Readonly<Record<string, unknown>>): QueryText {
    const filled = this.#slots.map((slot) => slot(values))
    if (!filled.some((value) => is(value, SQL))) return { sql: this.#whole, params: filled }
    const inserted = new Map<SQL, QueryText>()
    const params: unknown[] = []
    let text = this.#parts[0] ?? ''
    for (const [at, value] of filled.entries()) {
      if (is(value, SQL)) {
        const known = inserted.get(value) ?? dialect.sqlToQuery(value)
        inserted.set(value, known)
        text += known.sql
        params.push(...known.params)
      } else {
        text += '?'
        params.push(value)
      }
      text += this.#parts[at + 1] ?? ''
    }
    return { sql: text, params }
  }
}

const asItIs: Mapper = { mapResult: (response) => response }

/** Null for what is no placeholder. A placeholder of a column encodes its value. */
function slotOf(param: unknown): Slot | null {
  if (is(param, Placeholder)) return (values) => values[param.name] ?? null
  if (!is(param, Param) || !is(param.value, Placeholder)) return null
  const { name } = param.value
  return (values) => {
    const value = values[name] ?? null
    return value === null || is(value, SQL) ? value : param.encoder.mapToDriverValue(value)
  }
}

function constantSlot(value: unknown, isDefault: boolean): Slot {
  if (isDefault) return () => value
  throw new TypeError(`A prepared statement binds ${JSON.stringify(value)}: make it a placeholder`)
}

/** Run of a prepared statement, in the form in which Drizzle takes statements of a batch. */
class FilledStatement<Result> implements RunnableQuery<Result, 'sqlite'> {
  declare readonly _: RunnableQuery<Result, 'sqlite'>['_']
  readonly #db: Db
  readonly #text: StatementText
  readonly #query: QueryText

  constructor(db: Db, text: StatementText, values: Readonly<Record<string, unknown>>) {
    this.#db = db
    this.#text = text
    this.#query = text.fill(values)
  }

  _prepare() {
    return this
  }

  getQuery() {
    return this.#query
  }

  get stmt() {
    return this.#db.$client.prepare(this.#query.sql)
  }

  mapResult(response: unknown, isFromBatch?: boolean) {
    return this.#text.mapper.mapResult(response, isFromBatch)
  }
}
