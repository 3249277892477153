import { env } from 'cloudflare:workers'

export type Row = Readonly<Record<string, unknown>>

/** Every row of every table, by table. */
export type Snapshot = ReadonlyMap<string, readonly Row[]>

/** A row that was inserted or deleted; a changed row is both. */
export interface RowChange {
  readonly table: string
  readonly kind: 'added' | 'removed'
  readonly row: Row
}

/** Tables of the search index follow from the others and are left out. */
const tableNames = `select name from sqlite_master where type = 'table'
  and name not like 'sqlite!_%' escape '!' and name not like '!_cf!_%' escape '!' and name not like 'd1!_%' escape '!'
  and name not like 'account!_search%' escape '!' and name not like 'status!_search%' escape '!' order by name`

let known: Promise<readonly string[]> | undefined

async function namesOfTables(): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(tableNames).all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** D1 allows a hundred columns of a result. */
const mostColumns = 60

/**
 * The whole database. For tests that no other test runs beside. Most tables are empty in most tests, and asking which are
 * takes less than a result of each.
 */
export async function snapshot(): Promise<Snapshot> {
  known ??= namesOfTables()
  const names = await known
  const parts = Array.from({ length: Math.ceil(names.length / mostColumns) }, (_, at) =>
    names.slice(at * mostColumns, (at + 1) * mostColumns),
  )
  const filled = await env.DB.batch<Readonly<Record<string, number>>>(
    parts.map((part) =>
      env.DB.prepare(`select ${part.map((name) => `exists (select 1 from "${name}") as "${name}"`)}`),
    ),
  )
  const read = filled
    .flatMap(({ results: [row = {}] }) => Object.entries(row))
    .flatMap(([name, isFilled]) => (isFilled === 1 ? [name] : []))
  const rows = await env.DB.batch<Row>(read.map((name) => env.DB.prepare(`select * from "${name}"`)))
  const found = new Map(read.map((name, index) => [name, rows[index]?.results ?? []]))
  return new Map(names.map((name) => [name, found.get(name) ?? []]))
}

/** Changes between two snapshots, table by table. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly RowChange[] {
  return [...after].flatMap(([table, rows]) => {
    const old = before.get(table) ?? []
    return [...without(table, 'removed', old, rows), ...without(table, 'added', rows, old)]
  })
}

function without(
  table: string,
  kind: RowChange['kind'],
  rows: readonly Row[],
  others: readonly Row[],
): readonly RowChange[] {
  const known = new Set(others.map((row) => JSON.stringify(row)))
  return rows.filter((row) => !known.has(JSON.stringify(row))).map((row) => ({ table, kind, row }))
}
