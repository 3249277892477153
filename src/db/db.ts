import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'

export type Db = DrizzleD1Database & { readonly $client: D1Database }

export function openDb(binding: D1Database): Db {
  const db = drizzle(binding)
  const run = db.run.bind(db)
  db.run = (query) => {
    const raw = run(query)
    const build = raw.getQuery.bind(raw)
    let built: ReturnType<typeof build> | null = null
    // Drizzle asks twice for each statement of a batch, and builds the text again.
    raw.getQuery = () => {
      built ??= build()
      return built
    }
    // Drizzle 0.45 reads `stmt` of every statement of a batch that has parameters, but gives raw ones none.
    return Object.defineProperty(raw, 'stmt', { get: () => binding.prepare(raw.getQuery().sql) })
  }
  return db
}
