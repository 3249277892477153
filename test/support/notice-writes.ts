import { writtenTables } from '../../src/db/observed-binding'
import { ownResponses } from '../../src/wire'

const watched = new WeakSet<D1Database>()
let isNoticed = true

/**
 * Logs what tests write to the database by themselves: else the app would serve what it has cached. Once for all
 * databases of a runtime.
 */
export function noticeWrites(binding: D1Database): void {
  const prototype: D1Database = Object.getPrototypeOf(binding)
  if (watched.has(prototype)) return
  watched.add(prototype)
  const { prepare } = prototype
  prototype.prepare = function (text) {
    const tables = isNoticed ? writtenTables(text) : []
    if (tables.length > 0) ownResponses.writes.add(tables)
    return prepare.call(this, text)
  }
}

/** A binding for requests to the app, which has to log its writes by itself. */
export function withoutNotice(binding: D1Database): D1Database {
  return new Proxy(binding, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      if (key !== 'prepare') return member.bind(target)
      return (text: string) => {
        isNoticed = false
        try {
          return target.prepare(text)
        } finally {
          isNoticed = true
        }
      }
    },
  })
}
