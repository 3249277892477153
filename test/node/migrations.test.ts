import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import * as z from 'zod'

/** A database that has been in use since the first release, with a row in each table, meets the migrations after it. */

const [first, ...later] = ['0001_initial.sql', '0002_federation.sql'].map((name) =>
  readFileSync(`migrations/${name}`, 'utf8'),
)

const Named = z.array(z.object({ name: z.string() }))
const Columns = z.array(z.object({ name: z.string(), type: z.string(), pk: z.number() }))
type Columns = z.output<typeof Columns>

function tablesIn(db: DatabaseSync): readonly string[] {
  const found = db.prepare(`select name from sqlite_master where type = 'table' and sql not like '%virtual%'
    and name not like 'sqlite_%' and name not like 'account_search%'`)
  return Named.parse(found.all()).map(({ name }) => name)
}

function columnsOf(db: DatabaseSync, table: string): Columns {
  return Columns.parse(db.prepare(`pragma table_info(${table})`).all())
}

/** Every column set, as the code before would; `n` keeps rows apart. */
function insert(
  db: DatabaseSync,
  { table, columns, n }: { table: string; columns: Columns; n: number },
): void {
  const values = columns.map(({ name, type }) =>
    type === 'INTEGER' ? n : type === 'BLOB' ? new Uint8Array() : `${name} ${n}`,
  )
  const names = columns.map(({ name }) => name)
  db.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...values)
}

it('keep every row, and let the code before go on writing', () => {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  db.exec(first ?? '')
  const tables = tablesIn(db).map((table) => ({ table, columns: columnsOf(db, table) }))
  for (const { table, columns } of tables) insert(db, { table, columns, n: 1_001 })
  const rowsIn = ({ table, columns }: { table: string; columns: Columns }) =>
    db.prepare(`select ${columns.map(({ name }) => name)} from ${table}`).all()
  const before = tables.map(rowsIn)

  for (const migration of later) db.exec(migration)

  expect(tables.map(rowsIn)).toEqual(before)
  for (const { table, columns } of tables) insert(db, { table, columns, n: 1_002 })
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})
