import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { Db } from './db'

type Statement = RunnableQuery<unknown, 'sqlite'>

/**
 * Statements not yet run, with the decoder of their results. Queries combine into one round trip to the
 * database.
 */
export interface Query<T> {
  readonly statements: readonly Statement[]
  readonly decode: (results: readonly unknown[]) => T
}

/** Every row of one statement. */
export function rows<Row>(statement: RunnableQuery<Row[], 'sqlite'>): Query<Row[]> {
  // The one assertion of the read path: a batch returns results in the order of its statements.
  return { statements: [statement], decode: ([result]) => result as Row[] }
}

/** The first row of one statement, or null. */
export function first<Row>(statement: RunnableQuery<Row[], 'sqlite'>): Query<Row | null> {
  return map(rows(statement), (found) => found[0] ?? null)
}

/** A constant value, without a statement. */
export function constant<T>(value: T): Query<T> {
  return { statements: [], decode: () => value }
}

export function map<A, B>(query: Query<A>, change: (value: A) => B): Query<B> {
  return { statements: query.statements, decode: (results) => change(query.decode(results)) }
}

export function both<A, B>(a: Query<A>, b: Query<B>): Query<readonly [A, B]> {
  return {
    statements: [...a.statements, ...b.statements],
    decode: (results) => [
      a.decode(results.slice(0, a.statements.length)),
      b.decode(results.slice(a.statements.length)),
    ],
  }
}

type Answers<Q extends Readonly<Record<string, Query<unknown>>>> = {
  readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never
}

/** Combines named queries. */
export function combineQueries<Q extends Readonly<Record<string, Query<unknown>>>>(
  queries: Q,
): Query<Answers<Q>> {
  const names = Object.keys(queries)
  const parts = Object.values(queries)
  return {
    statements: parts.flatMap((part) => part.statements),
    decode: (results) => {
      let offset = 0
      const entries = parts.map((part, index) => {
        const own = results.slice(offset, offset + part.statements.length)
        offset += part.statements.length
        return [names[index], part.decode(own)]
      })
      return Object.fromEntries(entries) as Answers<Q>
    },
  }
}

/** Combines any number of like queries. */
export function all<T>(queries: readonly Query<T>[]): Query<readonly T[]> {
  return {
    statements: queries.flatMap((query) => query.statements),
    decode: (results) => {
      let offset = 0
      return queries.map(({ statements: { length }, decode: take }) => {
        offset += length
        return take(results.slice(offset - length, offset))
      })
    },
  }
}

/** Statements with undecoded results: writes, among queries. */
export function rawResults(statements: readonly Statement[]): Query<readonly unknown[]> {
  return { statements, decode: (results) => results }
}

/** Runs a query: one round trip, however many statements. */
export async function execute<T>(db: Db, query: Query<T>): Promise<T> {
  const [head, ...tail] = query.statements
  if (head === undefined) return query.decode([])
  return query.decode(await db.batch([head, ...tail]))
}
