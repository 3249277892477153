import { env } from 'cloudflare:workers'
import * as z from 'zod'
import { given } from './given'
import { context } from './test-app'

export type Values = Readonly<Record<string, number | string | null>>

const Column = z.object({
  name: z.string(),
  type: z.string(),
  notnull: z.number(),
  dflt_value: z.string().nullable(),
  pk: z.number(),
})
const Reference = z.object({ table: z.string(), from: z.string() })

/** A column that refers to a row: by a foreign key, or by its name. */
export interface ReferringColumn {
  readonly table: string
  readonly column: string
}

const known = new Map<string, readonly z.output<typeof Column>[]>()

async function columnsOf(table: string): Promise<readonly z.output<typeof Column>[]> {
  const held = known.get(table)
  if (held !== undefined) return held
  const { results } = await env.DB.prepare(`pragma table_info("${table}")`).all()
  const columns = z.array(Column).parse(results)
  known.set(table, columns)
  return columns
}

async function tableNames(): Promise<readonly string[]> {
  const { results } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and sql not like 'create virtual%'
      and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\' and name not like 'd1_%'
      and name not like 'account_search%' and name not like 'status_search%' order by name`,
  ).all()
  return z
    .array(z.object({ name: z.string() }))
    .parse(results)
    .map(({ name }) => name)
}

/** Columns with a foreign key to `target`, and those that are named like one of them. */
export async function columnsReferringTo(target: string, named: RegExp): Promise<readonly ReferringColumn[]> {
  const tables = await tableNames()
  const ask = (pragma: string) =>
    env.DB.batch(tables.map((table) => env.DB.prepare(`pragma ${pragma}("${table}")`)))
  const [columns, keys] = [await ask('table_info'), await ask('foreign_key_list')]
  return tables.flatMap((table, index) => {
    const own = z.array(Reference).parse(keys[index]?.results)
    return z
      .array(Column)
      .parse(columns[index]?.results)
      .filter(({ name }) => named.test(name) || own.some((key) => key.from === name && key.table === target))
      .map(({ name }) => ({ table, column: name }))
  })
}

/** Writes a row that names something in `column`, and the rows that it needs besides. */
export async function storedReference({ table, column }: ReferringColumn, id: number): Promise<void> {
  const { results } = await env.DB.prepare(`pragma foreign_key_list("${table}")`).all()
  const values: Record<string, number> = { [column]: id }
  for (const { from, table: target } of z.array(Reference).parse(results)) {
    const isNeeded = (await columnsOf(table)).some(
      ({ name, notnull, pk }) => name === from && notnull + pk > 0,
    )
    if (values[from] !== undefined || !isNeeded) continue
    const isAccount = target === 'accounts' || target === 'users'
    values[from] = isAccount ? (await given.account()).id : await storedNeeded(target)
  }
  await storedRow(table, values)
}

async function storedNeeded(table: string): Promise<number> {
  const { results } = await env.DB.prepare(`pragma foreign_key_list("${table}")`).all()
  const values: Record<string, number> = {}
  for (const { from, table: target } of z.array(Reference).parse(results))
    if (target === 'accounts' || target === 'users') values[from] = (await given.account()).id
    else if (target !== table && (await columnsOf(table)).some((c) => c.name === from && c.notnull === 1))
      values[from] = await storedNeeded(target)
  return storedRow(table, values)
}

/** Writes a row straight into a table: columns that need a value and are not given one get any. */
export async function storedRow(table: string, values: Values): Promise<number> {
  const id = context().ids.next()
  const columns = await columnsOf(table)
  const isKeyed = columns.some(({ name }) => name === 'id') && values['id'] === undefined
  const row: Record<string, number | string | null> = isKeyed ? { ...values, id } : { ...values }
  for (const { name, type, notnull, dflt_value, pk } of columns)
    if (row[name] === undefined && dflt_value === null && (notnull === 1 || pk > 0))
      row[name] = type === 'TEXT' ? `any ${context().ids.next()}` : context().ids.next()
  await env.DB.prepare(
    `insert into "${table}" (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`,
  )
    .bind(...Object.values(row))
    .run()
  return id
}
