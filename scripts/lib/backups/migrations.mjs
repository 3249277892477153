// Migrations as a restore applies them: up to that of the backup before its rows, the others behind.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { root } from '../server.mjs'
import { literal } from './sql.mjs'

export const migrationsTable = `create table if not exists d1_migrations (
  id integer primary key autoincrement,
  name text unique,
  applied_at timestamp default current_timestamp not null
)`

/** Migrations of this clone, as { name, sql }, the oldest first. */
export function allMigrations() {
  const names = readdirSync(join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
  return names.toSorted().map((name) => ({ name, sql: readFileSync(join(root, 'migrations', name), 'utf8') }))
}

/** The migrations up to that of a backup, and those behind it. */
export function migrationsAround(schema) {
  const all = allMigrations()
  const place = all.findIndex(({ name }) => name === schema)
  if (place === -1)
    throw new Problem(
      `The backup is of a newer version than this clone (${schema}): git pull && npm ci first.`,
    )
  return { before: all.slice(0, place + 1), after: all.slice(place + 1) }
}

/** Statements of a migration, with the note that it is applied. */
export function statementsOf({ name, sql }) {
  return [sql, `insert into d1_migrations (name) values (${literal(name)})`]
}
