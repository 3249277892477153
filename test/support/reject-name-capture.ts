import { capturedNames } from './sql-scopes'

const known = new Set<string>()
const watched = new WeakSet<D1Database>()

/**
 * Refuses statements in which a sub-query takes a name from the query around it: see `capturedNames`. Once for all
 * databases of a runtime.
 */
export function rejectNameCapture(binding: D1Database): void {
  const prototype: D1Database = Object.getPrototypeOf(binding)
  if (watched.has(prototype)) return
  watched.add(prototype)
  const { prepare } = prototype
  prototype.prepare = function (text) {
    if (!known.has(text)) {
      const captured = capturedNames(text)
      if (captured.length > 0)
        throw new Error(`Give the tables ${captured} of the sub-queries names of their own in: ${text}`)
      known.add(text)
    }
    return prepare.call(this, text)
  }
}
