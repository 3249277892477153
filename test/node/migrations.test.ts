import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { unstable_splitSqlQuery } from 'wrangler'
import * as z from 'zod'
import { splitStatements } from '../../scripts/lib/migrations.mjs'

/** A database that has been in use since the first release, with a row in each table, meets every migration after it. */

const names = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
const migrations = names.map((name) => readFileSync(`migrations/${name}`, 'utf8'))

const Named = z.array(z.object({ name: z.string() }))
const Columns = z.array(z.object({ name: z.string(), type: z.string(), pk: z.number() }))
type Columns = z.output<typeof Columns>

interface Table {
  readonly table: string
  readonly columns: Columns
}

/** Tables, without the virtual ones and those that hold their index. */
function tablesIn(db: DatabaseSync): readonly Table[] {
  const found = db
    .prepare("select name from pragma_table_list where type = 'table' and schema = 'main'")
    .all()
  return Named.parse(found)
    .filter(({ name }) => !name.startsWith('sqlite_'))
    .map(({ name }) => ({ table: name, columns: columnsOf(db, name) }))
}

function columnsOf(db: DatabaseSync, table: string): Columns {
  return Columns.parse(db.prepare(`pragma table_info(${table})`).all())
}

/** Filled by triggers on other tables alone: the rows of those make theirs. */
const filledByTriggers = [
  'followed_accounts',
  'inboxes',
  'active_blocks',
  'domain_day_blocks',
  'media_blocks',
  'tag_blocks',
  'tag_counts',
]

/** Every column set, as the code before would; `n` keeps rows apart. */
function insert(db: DatabaseSync, { table, columns }: Table, n: number): void {
  const values = columns.map(({ name, type }) =>
    type === 'INTEGER' || type === 'REAL' ? n : type === 'BLOB' ? new Uint8Array() : `${name} ${n}`,
  )
  const names = columns.map(({ name }) => name)
  db.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...values)
}

it('migrations are numbered in the order they are applied, without duplicates', () => {
  // Parts of one number are told apart by letters: 0053_a, 0053_b.
  const numbers = names.map((name) => /^\d{4}(?:_[a-z](?=_))?/.exec(name)?.[0])
  expect(numbers).toEqual([...new Set(numbers)].toSorted())
  expect(names).toEqual(names.toSorted())
})

it('migrations keep every row, and let the previous code continue to write', () => {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const rowsIn = ({ table, columns }: Table) =>
    db.prepare(`select ${columns.map(({ name }) => name)} from ${table}`).all()
  // As they were when they came.
  let known: readonly Table[] = []
  for (const [index, migration] of migrations.entries()) {
    const before = known.map(rowsIn)
    db.exec(migration)
    expect(known.map(rowsIn)).toEqual(before)
    const tables = known.map(({ table }) => table)
    known = [...known, ...tablesIn(db).filter(({ table }) => !tables.includes(table))]
    const written = known.filter(({ table }) => !filledByTriggers.includes(table))
    for (const table of written) insert(db, table, 1_001 + index)
  }
  expect(known.length).toBeGreaterThan(50)
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})

it('migrations of Durable Object classes stay as they were released, and later ones follow them', () => {
  const blocks = readFileSync('wrangler.full.toml', 'utf8')
    .split(/^\[\[migrations\]\]$/m)
    .slice(1)
    .map((block) => /tag = .*\n.*_classes = .*/.exec(block)?.[0])
  expect(blocks.slice(0, 3)).toEqual([
    'tag = "v1"\nnew_sqlite_classes = ["Vault", "Throttle"]',
    'tag = "v2"\nnew_sqlite_classes = ["Courier"]',
    'tag = "v3"\nnew_sqlite_classes = ["Connection", "Topic"]',
  ])
})

it('migrations are split into the statements that wrangler finds in them, and no text or trigger is cut', () => {
  const plain = (statements: readonly string[]) =>
    statements
      .map((statement) =>
        statement.replaceAll(/--.*/g, '').replace(/;\s*$/, '').replaceAll(/\s+/g, ' ').trim(),
      )
      .filter((statement) => statement !== '')
  for (const migration of migrations)
    expect(plain(splitStatements(migration))).toEqual(plain(unstable_splitSqlQuery(migration)))
  const [insert, trigger] = [
    "insert into a values ('x; -- y', 'it''s')",
    'create trigger t after insert on a begin update b set c = case when 1 then 2 end; delete from d; end',
  ]
  expect(splitStatements(`-- first; of all\n${insert}; /* ; */ ${trigger};\n-- end\n`)).toEqual([
    `-- first; of all\n${insert}`,
    `/* ; */ ${trigger}`,
  ])
})
