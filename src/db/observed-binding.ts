import { type WriteLog, type WrittenTables, writtenTables } from './write-log'

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
