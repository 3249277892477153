import * as z from 'zod'
import type { ScaledInstance } from './scaled-instance.ts'

/** A database to fill: one of a test, or one on disk. */
export interface Fillable {
  run(text: string): Promise<void> | void
  /** Name and text of each trigger. */
  triggers(): Promise<readonly Trigger[]> | readonly Trigger[]
}

export const Triggers = z.array(z.object({ name: z.string(), sql: z.string() }))
export type Trigger = z.output<typeof Triggers>[number]

/** Fills a migrated, empty database. Triggers are away meanwhile: what they count is counted at once. */
export async function fillDatabase(
  database: Fillable,
  { statements }: Pick<ScaledInstance, 'statements'>,
): Promise<void> {
  const triggers = await database.triggers()
  for (const { name } of triggers) await database.run(`drop trigger "${name}"`)
  for (const statement of statements) await database.run(statement)
  for (const { sql } of triggers) await database.run(sql)
}

export const selectTriggers = "select name, sql from sqlite_master where type = 'trigger' order by rowid"
