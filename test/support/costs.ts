/** Costs of a request at the database. */
export interface Costs {
  readonly trips: number
  readonly statements: number
  readonly rowsRead: number
  readonly rowsWritten: number
}

/** Wraps a D1 binding and counts round trips, statements and rows, as D1 itself reports them. */
export function countingDb(real: D1Database): { readonly db: D1Database; read(): Costs } {
  const costs = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }
  const inner = new WeakMap<object, D1PreparedStatement>()

  const note = <T>(result: D1Result<T>): D1Result<T> => {
    costs.rowsRead += result.meta.rows_read
    costs.rowsWritten += result.meta.rows_written
    return result
  }
  const one = () => {
    costs.trips += 1
    costs.statements += 1
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, key) {
        if (key === 'bind') return (...values: unknown[]) => wrap(target.bind(...values))
        if (key === 'all' || key === 'run')
          return async () => {
            one()
            return note(await target.all())
          }
        if (key === 'raw' || key === 'first')
          return async () => {
            one()
            // Neither answers figures, so the rows are asked for in the form that does.
            const result = note(await target.all())
            const values = result.results.map((row) => Object.values(row))
            return key === 'raw' ? values : (result.results[0] ?? null)
          }
        return Reflect.get(target, key)
      },
    })
    inner.set(wrapped, statement)
    return wrapped
  }
  const db = new Proxy(real, {
    get(target, key) {
      if (key === 'prepare') return (text: string) => wrap(target.prepare(text))
      if (key === 'batch')
        return async (statements: D1PreparedStatement[]) => {
          costs.trips += 1
          costs.statements += statements.length
          const results = await target.batch(statements.map((statement) => inner.get(statement) ?? statement))
          return results.map(note)
        }
      return Reflect.get(target, key)
    },
  })
  return { db, read: () => ({ ...costs }) }
}
