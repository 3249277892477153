import { is, Placeholder, type Query as QueryText, SQL, StringChunk, sql } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Db } from './db'

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
  const texts = new Map<string, StatementText>()
  const inText = placeholdersOf(placeholders)
  return (db, values, shape) => {
    const key = Object.values(shape).join(' ')
    const text = texts.get(key) ?? new StatementText(build(db, inText, shape).prepare())
    texts.set(key, text)
    return new FilledStatement<Row>(db, text, values)
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
  let text: CutText | null = null
  return (values) => {
    text ??= new CutText(dialect.sqlToQuery(build(placeholdersOf(placeholders))))
    return text.filledSql(values)
  }
}

function placeholdersOf<P extends string>(names: readonly P[]): Placeholders<P> {
  const inText = Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(name)}`]))
  const hasAll = (named: object): named is Placeholders<P> => names.every((name) => name in named)
  if (!hasAll(inText)) throw new TypeError('A prepared statement lacks a placeholder')
  return inText
}

const dialect = new SQLiteAsyncDialect()

/** Text of SQL, cut at its placeholders. */
class CutText {
  readonly parts: readonly string[]
  readonly names: readonly string[]

  constructor({ sql: text, params }: QueryText) {
    this.names = params.map((param) => {
      if (is(param, Placeholder)) return param.name
      throw new TypeError(`A prepared statement binds ${JSON.stringify(param)}: make it a placeholder`)
    })
    // Indentation of the source: the text is sent and hashed at every run.
    this.parts = text.replaceAll(/\s*\n\s*/g, ' ').split('?')
    if (this.parts.length !== params.length + 1)
      throw new TypeError('A prepared statement has a question mark that is no placeholder')
  }

  filledSql(values: Readonly<Record<string, Argument>>): SQL {
    const [first = '', ...rest] = this.parts
    const chunks = rest.flatMap((part, at) => [
      values[this.names[at] ?? ''] ?? sql`null`,
      new StringChunk(part),
    ])
    return new SQL([new StringChunk(first), ...chunks])
  }
}

/** The text of a select, cut at its placeholders. */
class StatementText extends CutText {
  constructor(readonly mapper: ReturnType<Select<unknown>['prepare']>) {
    super(mapper.getQuery())
  }

  fill(values: Readonly<Record<string, Argument>>): QueryText {
    const inserted = new Map<string, QueryText>()
    const params: unknown[] = []
    let text = this.parts[0] ?? ''
    for (const [at, name] of this.names.entries()) {
      const known = inserted.get(name) ?? insertionOf(values[name] ?? null)
      inserted.set(name, known)
      text += known.sql + (this.parts[at + 1] ?? '')
      params.push(...known.params)
    }
    return { sql: text, params }
  }
}

function insertionOf(argument: Argument): QueryText {
  return is(argument, SQL) ? dialect.sqlToQuery(argument) : { sql: '?', params: [argument] }
}

/** Run of a prepared select, in the form in which Drizzle takes statements of a batch. */
class FilledStatement<Row> implements RunnableQuery<Row[], 'sqlite'> {
  declare readonly _: RunnableQuery<Row[], 'sqlite'>['_']
  readonly #db: Db
  readonly #text: StatementText
  readonly #query: QueryText

  constructor(db: Db, text: StatementText, values: Readonly<Record<string, Argument>>) {
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
