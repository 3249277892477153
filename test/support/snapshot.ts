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

/** The whole database. For tests that no other test runs beside. */
export async function snapshot(): Promise<Snapshot> {
  const { results: tables } = await env.DB.prepare(tableNames).all<{ name: string }>()
  const read = await env.DB.batch<Row>(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)))
  return new Map(tables.map(({ name }, index) => [name, read[index]?.results ?? []]))
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
