import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { scaleOf } from './figures.ts'
import { fillDatabase, selectTriggers, Triggers } from './fill.ts'
import { type ScaledInstance, scaledInstance } from './scaled-instance.ts'

export interface BuiltInstance {
  readonly db: DatabaseSync
  readonly instance: ScaledInstance
}

/** The time at which clocks of tests begin. */
export const instanceTime = new Date('2026-11-01T12:00:00.000Z')

/**
 * Builds an instance of so many statuses through the migrations, in a file that must not exist or in memory. Run from
 * the root of the project.
 */
export async function buildInstance(statuses: string | number, file = ':memory:'): Promise<BuiltInstance> {
  if (file !== ':memory:' && existsSync(file)) throw new Error(`${file} exists`)
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -400000')
  const migrations = readdirSync('migrations').filter((name) => name.endsWith('.sql'))
  for (const name of migrations.toSorted()) db.exec(readFileSync(`migrations/${name}`, 'utf8'))
  const instance = scaledInstance(scaleOf(statuses), { now: instanceTime })
  db.exec('begin')
  await fillDatabase(
    { run: (text) => db.exec(text), triggers: () => Triggers.parse(db.prepare(selectTriggers).all()) },
    instance,
  )
  db.exec('commit')
  return { db, instance }
}
