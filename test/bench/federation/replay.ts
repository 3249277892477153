/**
 * A D1 binding that remembers, statement by statement, what the database answered once, and answers the same again.
 *
 * For measuring the CPU time of a request without the database, which has a machine of its own when deployed and
 * shares the process here. Answers are kept as text and parsed each time, as what comes over the wire is.
 */
export interface Replay {
  readonly db: D1Database
  /** From now on answers come from memory. */
  replay(): void
  /** Before each repetition of what was recorded. */
  rewind(): void
}

export function replayOf(real: D1Database): Replay {
  const tape: string[] = []
  let position = 0
  let recording = true

  const through = async (ask: () => Promise<unknown>): Promise<unknown> => {
    if (recording) {
      const answer = await ask()
      tape.push(JSON.stringify(answer))
      return answer
    }
    const text = tape[position]
    position += 1
    if (text === undefined) throw new Error('More is asked of the database than was recorded')
    const answer: unknown = JSON.parse(text)
    return answer
  }
  const inner = new WeakMap<object, D1PreparedStatement>()
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, key) {
        if (key === 'bind') return (...values: unknown[]) => wrap(target.bind(...values))
        if (key === 'all' || key === 'run') return () => through(() => target.all())
        if (key === 'raw') return () => through(() => target.raw())
        if (key === 'first') return (column?: string) => through(() => firstOf(target, column))
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
        return (statements: D1PreparedStatement[]) =>
          through(() => target.batch(statements.map((statement) => inner.get(statement) ?? statement)))
      return Reflect.get(target, key)
    },
  })
  return {
    db,
    replay: () => {
      recording = false
      position = 0
    },
    rewind: () => {
      position = 0
    },
  }
}

function firstOf(statement: D1PreparedStatement, column: string | undefined): Promise<unknown> {
  return column === undefined ? statement.first() : statement.first(column)
}
