import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Tables that SQLite makes by itself, as parts of a virtual table and its counters. */
const madeBySqlite = /^(sqlite_|_cf_)|_(data|idx|content|docsize|config)$/

/** D1 refuses statements of more than 100,000 bytes. */
const mostBytes = 90_000

let dump: Promise<readonly string[]> | undefined

/**
 * Brings an empty database to where all migrations lead.
 *
 * Migrations run once in a runtime. Later databases get the schema and the rows they left, by few statements: half
 * a thousand test files begin with this.
 */
export async function migrate(db: D1Database): Promise<void> {
  if (dump !== undefined) {
    for (const part of await dump) await db.prepare(part).run()
    return
  }
  await applyD1Migrations(db, env.TEST_MIGRATIONS)
  dump = dumpOf(db)
  await dump
}

async function dumpOf(db: D1Database): Promise<readonly string[]> {
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
  return joined([...others.map(({ sql }) => sql), ...inserts, ...triggers.map(({ sql }) => sql)])
}

/** Statements as one text, or as few as D1 takes. */
function joined(statements: readonly string[]): readonly string[] {
  const parts: string[] = []
  for (const statement of statements) {
    const longer = parts.length === 0 ? statement : `${parts.at(-1)};\n${statement}`
    if (new TextEncoder().encode(longer).byteLength <= mostBytes) parts.splice(-1, 1, longer)
    else parts.push(statement)
  }
  return parts
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  throw new Error(`Write a literal for ${typeof value}`)
}
