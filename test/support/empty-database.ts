import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Tables that SQLite makes by itself, as parts of a virtual table and its counters. */
const madeBySqlite = /^(sqlite_|_cf_)|_(data|idx|content|docsize|config)$/

let dump: Promise<string> | undefined

/**
 * Brings an empty database to where all migrations lead.
 *
 * Migrations run once in a runtime. Later databases get the schema and the rows they left, by a single statement: half
 * a thousand test files begin with this.
 */
export async function migrate(db: D1Database): Promise<void> {
  if (dump !== undefined) {
    await db.prepare(await dump).run()
    return
  }
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  dump = dumpOf(db)
  await dump
}

async function dumpOf(db: D1Database): Promise<string> {
  const { results } = await db
    .prepare(
      "select type, name, sql from sqlite_master where sql is not null order by type = 'trigger', rowid",
    )
    .all<{ type: string; name: string; sql: string }>()
  const own = results.filter(({ name }) => !madeBySqlite.test(name))
  const tables = own.filter(({ type, sql }) => type === 'table' && !/^create virtual/i.test(sql))
  const rows = await db.batch<Record<string, unknown>>(
    tables.map(({ name }) => db.prepare(`select * from "${name}"`)),
  )
  const inserts = tables.flatMap(({ name }, index) =>
    (rows[index]?.results ?? []).map(
      (row) => `insert into "${name}" (${Object.keys(row)}) values (${Object.values(row).map(literal)})`,
    ),
  )
  const triggers = own.filter(({ type }) => type === 'trigger')
  const others = own.filter(({ type }) => type !== 'trigger')
  return [...others.map(({ sql }) => sql), ...inserts, ...triggers.map(({ sql }) => sql)].join(';\n')
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  throw new Error(`Write a literal for ${typeof value}`)
}
