import { writtenTables } from '../../src/db/observed-binding'

/** A database that can be full: then every write, and every batch with one, fails as on a full disk. */
export function fullDatabase(real: D1Database) {
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const writes = new WeakSet<D1PreparedStatement>()
  let isFull = true
  const refused = () => Promise.reject(new Error('D1_ERROR: database or disk is full: SQLITE_FULL'))

  const wrap = (statement: D1PreparedStatement, isWrite: boolean): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, key) {
        if (key === 'bind') return (...values: unknown[]) => wrap(target.bind(...values), isWrite)
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return isWrite && isFull ? refused : member.bind(target)
      },
    })
    inner.set(wrapped, statement)
    if (isWrite) writes.add(wrapped)
    return wrapped
  }
  const batch = (statements: D1PreparedStatement[]) =>
    isFull && statements.some((statement) => writes.has(statement))
      ? refused()
      : real.batch(statements.map((statement) => inner.get(statement) ?? statement))
  const binding = new Proxy(real, {
    get(target, key) {
      if (key === 'prepare')
        return (text: string) => wrap(target.prepare(text), writtenTables(text).length > 0)
      if (key === 'batch') return batch
      const member: unknown = Reflect.get(target, key)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return {
    binding,
    /** Makes room again. */
    free: () => {
      isFull = false
    },
  }
}
