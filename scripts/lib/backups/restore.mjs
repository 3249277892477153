// Fills an empty instance from a backup in a folder: schema of the backup, rows, media, then the migrations since.
import { existsSync, readFileSync } from 'node:fs'
import { Problem } from '../problem.mjs'
import { migrationsAround, migrationsTable, statementsOf } from './migrations.mjs'
import {
  objectsOf,
  placeOfObject,
  problemOfObject,
  readManifest,
  readPart,
  sectionsOf,
} from './read-backup.mjs'
import {
  closingStatements,
  insertsOf,
  noteStep,
  openingStatements,
  progressTable,
  quoted,
  referencesOf,
} from './sql.mjs'

const objectsAtOnce = 4

/** Statements that wait until they are worth a round trip. */
class Batch {
  #statements = []
  #bytes = 0
  #target

  constructor(target) {
    this.#target = target
  }

  /** Adds statements that belong together, and runs all once there are enough. */
  async add(statements) {
    this.#statements.push(...statements)
    for (const statement of statements) this.#bytes += statement.length
    if (this.#bytes >= this.#target.bytesAtOnce) await this.flush()
  }

  async flush() {
    if (this.#statements.length > 0) await this.#target.run(this.#statements)
    this.#statements = []
    this.#bytes = 0
  }
}

/**
 * State of a target for the backup `name`: `empty`, `begun` where a restore of `backup` was interrupted, or `complete`
 * where only its end was not noted. A `Problem` where it is in use.
 */
async function stateOf(target, name) {
  const tables = new Set(
    (await target.query(`select name from sqlite_schema where type = 'table'`)).map(({ name }) => name),
  )
  if (tables.has(progressTable)) {
    const [found] = await target.query(`select data from ${progressTable} where step = 'backup'`)
    return { state: 'begun', backup: found?.data ?? null, migrations: await appliedIn(target, tables) }
  }
  if (tables.has('users')) {
    const [{ users, statuses }] = await target.query(
      'select (select count(*) from users) as users, (select count(*) from (select 1 from statuses limit 1)) as statuses',
    )
    if (users > 0 && target.begun() === name) return { state: 'complete', backup: name, migrations: [] }
    if (users > 0 || statuses > 0)
      throw new Problem(
        `${target.describe()} is in use: it has ${users} members. A backup is restored into an empty instance only.`,
      )
  }
  return { state: 'empty', backup: null, migrations: await appliedIn(target, tables) }
}

async function appliedIn(target, tables) {
  if (!tables.has('d1_migrations')) return []
  return (await target.query('select name from d1_migrations order by name')).map(({ name }) => name)
}

const nothing = { state: 'empty', backup: null, migrations: [] }

/**
 * Plan of a restore: { manifest, state, before, after, applied }, the latter about migrations. A `Problem` where it cannot
 * be done. `target` is null where there is nothing yet.
 */
export async function planRestore({ folder, target }) {
  const manifest = readManifest(folder)
  const { before, after } = migrationsAround(manifest.schema)
  const found = target === null ? nothing : await stateOf(target, manifest.name)
  if (found.state === 'begun' && found.backup !== manifest.name)
    throw new Problem(
      `${target.describe()} holds a part of another backup, ${found.backup}. Begin with an empty one.`,
    )
  const later = found.migrations.filter((name) => name > manifest.schema)
  if (found.state === 'empty' && later.length > 0)
    throw new Problem(
      `${target.describe()} has a newer schema (${later.at(-1)}) than the backup (${manifest.schema}): restore into a new database.`,
    )
  for (const part of manifest.parts) readPart(folder, part)
  return { manifest, state: found.state, before, after, applied: new Set(found.migrations) }
}

/** Restores the backup of `folder` into `target`; continues where an earlier run was interrupted. */
export async function restore({ folder, target, plan, progress }) {
  const { manifest } = plan
  if (plan.state !== 'complete') {
    await target.begin(manifest.name)
    if (plan.state === 'empty') await open(target, plan)
    await restoreRows({ folder, target, manifest, progress })
  }
  const media = await restoreMedia({ folder, target, manifest, progress })
  const restored = await countRows(target, manifest)
  if (plan.state !== 'complete') await finish(target, plan)
  await target.end()
  progress(1, 1, '')
  return {
    rows: restored.rows,
    left_out: restored.leftOut,
    ...media,
    migrations: plan.after.map(({ name }) => name),
  }
}

/** The schema of the backup, without rows and triggers: what these would count is among the rows. */
async function open(target, { manifest, before, applied }) {
  await target.run([migrationsTable])
  for (const migration of before) if (!applied.has(migration.name)) await target.run(statementsOf(migration))
  const triggers = await target.query(`select name, sql from sqlite_schema where type = 'trigger'`)
  const tables = await target.query(
    `select name from sqlite_schema where type = 'table' and name not like '%\\_search%' escape '\\'
      and name not glob 'sqlite_*' and name not glob '_cf*' and name not glob 'd1_*'`,
  )
  // Migrations bring rows along, which the backup has too or which were deleted since.
  const filled = tables.map(({ name }) => name).filter((name) => !Object.hasOwn(manifest.left_out, name))
  await target.run([
    ...openingStatements,
    ...triggers.flatMap(({ name, sql }) => [
      noteStep(`trigger ${name}`, sql),
      `drop trigger ${quoted(name)}`,
    ]),
    ...filled.map((table) => `delete from ${quoted(table)}`),
    noteStep('backup', manifest.name),
  ])
}

async function restoreRows({ folder, target, manifest, progress }) {
  const steps = await target.query(`select step from ${progressTable}`)
  const done = new Set(steps.map(({ step }) => step))
  const parts = manifest.parts.filter(({ kind }) => kind === 'database')
  const batch = new Batch(target)
  let rows = 0
  for (const table of Object.keys(manifest.tables)) {
    const references = await readReferences(target, table)
    const passes = references.some(({ isSelf }) => isSelf) ? [1, 2] : [1]
    for (const pass of passes)
      for (const part of parts.filter(({ contents }) => contents[table] !== undefined)) {
        const step = `${table} ${part.file} ${pass}`
        if (pass === 1) rows += part.contents[table]
        if (done.has(step)) continue
        const sections = sectionsOf(readPart(folder, part)).filter((section) => section.table === table)
        const inserts = sections.flatMap((section) => insertsOf({ ...section, references, pass }))
        await batch.add([...inserts, noteStep(step)])
        progress(rows, manifest.rows, 'Rows')
      }
  }
  await batch.flush()
}

async function readReferences(target, table) {
  const columns = await target.query(`pragma table_info(${quoted(table)})`)
  if (columns.length === 0) throw new Problem(`The schema of the backup has no table ${table}.`)
  return referencesOf(table, {
    columns,
    keys: await target.query(`pragma foreign_key_list(${quoted(table)})`),
  })
}

async function restoreMedia({ folder, target, manifest, progress }) {
  const parts = manifest.parts.filter(({ kind }) => kind === 'media')
  const objects = parts.flatMap((part) => objectsOf(readPart(folder, part)))
  const missing = []
  let done = 0
  const queue = objects.values()
  const work = async () => {
    for (const object of queue) {
      const place = placeOfObject(folder, object.key)
      if (!(await target.hasObject(object))) {
        const bytes = existsSync(place) ? readFileSync(place) : null
        if (bytes === null || problemOfObject(object, bytes) !== null) missing.push(object.key)
        else await target.putObject(object, bytes, place)
      }
      done += 1
      progress(done, objects.length, 'Media')
    }
  }
  await Promise.all(Array.from({ length: objectsAtOnce }, work))
  return { objects: objects.length - missing.length, missing }
}

/** Rows of each table, and those that were left out since what they name is in no part. */
async function countRows(target, { tables }) {
  let rows = 0
  const leftOut = {}
  for (const [table, expected] of Object.entries(tables)) {
    const [{ count }] = await target.query(`select count(*) as count from ${quoted(table)}`)
    rows += count
    if (count !== expected) leftOut[table] = expected - count
  }
  return { rows, leftOut }
}

/** Triggers and the index of accounts come back, then the migrations since. Posts are indexed again on schedule. */
async function finish(target, { after, applied }) {
  const triggers = await target.query(`select data from ${progressTable} where step like 'trigger %'`)
  const present = await target.query(`select name from sqlite_schema where type = 'trigger' limit 1`)
  if (present.length === 0)
    await target.run([
      ...triggers.map(({ data }) => data),
      `insert into account_search (account_search) values ('rebuild')`,
    ])
  for (const migration of after) if (!applied.has(migration.name)) await target.run(statementsOf(migration))
  await target.run(closingStatements)
}
