/** Costs of a request at the database. */
export interface Costs {
  readonly trips: number
  readonly statements: number
  readonly rowsRead: number
  readonly rowsWritten: number
}

/** A statement that was run. */
export interface ExecutedStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly rowsRead: number
  readonly rowsWritten: number
}

interface Prepared {
  readonly statement: D1PreparedStatement
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Wraps a D1 binding and counts round trips, statements and rows, as D1 itself reports them. `onTrip` is called with the
 * statements of each round trip, and the time that it took.
 */
export function countingDb(
  real: D1Database,
  onTrip: (statements: readonly ExecutedStatement[], milliseconds: number) => void = () => undefined,
): { readonly db: D1Database; read(): Costs } {
  const costs = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }
  const inner = new WeakMap<object, Prepared>()

  const count = <T>({ meta }: D1Result<T>, { text, values }: Omit<Prepared, 'statement'>) => {
    costs.rowsRead += meta.rows_read
    costs.rowsWritten += meta.rows_written
    return { text, values, rowsRead: meta.rows_read, rowsWritten: meta.rows_written }
  }
  const one = () => {
    costs.trips += 1
    costs.statements += 1
  }
  const wrap = (prepared: Prepared): D1PreparedStatement => {
    const runAlone = async () => {
      one()
      const start = performance.now()
      const result = await prepared.statement.all()
      onTrip([count(result, prepared)], performance.now() - start)
      return result
    }
    const wrapped = new Proxy(prepared.statement, {
      get(target, key) {
        if (key === 'bind')
          return (...values: unknown[]) =>
            wrap({ statement: target.bind(...values), text: prepared.text, values })
        if (key === 'all' || key === 'run') return runAlone
        if (key === 'raw' || key === 'first')
          return async () => {
            // Neither answers figures, so the rows are asked for in the form that does.
            const result = await runAlone()
            const values = result.results.map((row) => Object.values(row))
            return key === 'raw' ? values : (result.results[0] ?? null)
          }
        return Reflect.get(target, key)
      },
    })
    inner.set(wrapped, prepared)
    return wrapped
  }
  const db = new Proxy(real, {
    get(target, key) {
      if (key === 'prepare')
        return (text: string) => wrap({ statement: target.prepare(text), text, values: [] })
      if (key === 'batch')
        return async (statements: D1PreparedStatement[]) => {
          costs.trips += 1
          costs.statements += statements.length
          const batch = statements.map(
            (statement) => inner.get(statement) ?? { statement, text: '', values: [] },
          )
          const start = performance.now()
          const results = await target.batch(batch.map(({ statement }) => statement))
          const milliseconds = performance.now() - start
          onTrip(
            results.map((result, at) => count(result, batch[at] ?? { text: '', values: [] })),
            milliseconds,
          )
          return results
        }
      return Reflect.get(target, key)
    },
  })
  return { db, read: () => ({ ...costs }) }
}
