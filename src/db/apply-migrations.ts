import * as z from 'zod'

/** A file of `migrations`, split into its statements. */
export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

/** Statements that were applied, of all. */
export interface MigrationProgress {
  readonly done: number
  readonly total: number
}

/** An invocation on the free plan may send 50 statements: these, and those that read and note how far it is. */
const mostInPiece = 44

/** The table of wrangler, as wrangler makes it: either may go on with what the other began. */
const appliedTable = `create table if not exists d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** Statements of a file that does not fit one piece; dropped with the last migration. */
const partsTable =
  'create table if not exists migration_parts (name text, done integer, primary key (name, done))'

const Applied = z.array(z.object({ name: z.string() }))
const Parts = z.array(z.object({ name: z.string(), done: z.number() }))

export const Migrations = z.array(z.object({ name: z.string(), statements: z.array(z.string()) }))

interface Piece {
  readonly statements: readonly string[]
  /** Names of migrations that end with this piece. */
  readonly applied: readonly string[]
  /** The migration that goes on in the next piece. */
  readonly part: { readonly name: string; readonly done: number } | null
}

/**
 * Applies as many of the statements that a database lacks as fit one invocation, in one batch with the note of what was
 * applied: killed at any point, the next call goes on behind the last batch. Two calls at once, or one beside wrangler, fail
 * by the unique name of a migration, and neither applies anything twice.
 */
export async function applyNextPiece(
  db: D1Database,
  migrations: readonly Migration[],
): Promise<MigrationProgress> {
  const [, , names, parts] = await db.batch([
    db.prepare(appliedTable),
    db.prepare(partsTable),
    db.prepare('select name from d1_migrations'),
    db.prepare('select name, max(done) as done from migration_parts group by name'),
  ])
  const applied = new Set(Applied.parse(names?.results).map(({ name }) => name))
  const begun = new Map(Parts.parse(parts?.results).map(({ name, done }) => [name, done]))
  const piece = nextPiece(migrations, applied, begun)
  const after = new Set([...applied, ...piece.applied])
  const isLast = migrations.every(({ name }) => after.has(name))
  await db.batch([
    ...piece.statements.map((statement) => db.prepare(statement)),
    ...(piece.applied.length === 0 ? [] : [noteApplied(db, piece.applied)]),
    ...(piece.part === null ? [] : [notePart(db, piece.part)]),
    ...(isLast ? [db.prepare('drop table migration_parts')] : []),
  ])
  const left = piece.part === null ? begun : new Map([[piece.part.name, piece.part.done]])
  return progressOf(migrations, after, left)
}

/** The statements of the next batch. A migration is split only where it is longer than a whole piece. */
export function nextPiece(
  migrations: readonly Migration[],
  applied: ReadonlySet<string>,
  begun: ReadonlyMap<string, number>,
): Piece {
  const statements: string[] = []
  const ended: string[] = []
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    const done = begun.get(migration.name) ?? 0
    const missing = migration.statements.slice(done)
    const room = mostInPiece - statements.length
    if (missing.length > room) {
      if (missing.length <= mostInPiece || room === 0) break
      statements.push(...missing.slice(0, room))
      return { statements, applied: ended, part: { name: migration.name, done: done + room } }
    }
    statements.push(...missing)
    ended.push(migration.name)
  }
  return { statements, applied: ended, part: null }
}

function progressOf(
  migrations: readonly Migration[],
  applied: ReadonlySet<string>,
  begun: ReadonlyMap<string, number>,
): MigrationProgress {
  let [done, total] = [0, 0]
  for (const { name, statements } of migrations) {
    total += statements.length
    done += applied.has(name) ? statements.length : (begun.get(name) ?? 0)
  }
  return { done, total }
}

function noteApplied(db: D1Database, names: readonly string[]): D1PreparedStatement {
  return db
    .prepare('insert into d1_migrations (name) select value from json_each(?) order by key')
    .bind(JSON.stringify(names))
}

/** The row of a part is unique: a call that applied the same statements meanwhile makes this one fail. */
function notePart(db: D1Database, { name, done }: { readonly name: string; readonly done: number }) {
  return db.prepare('insert into migration_parts (name, done) values (?, ?)').bind(name, done)
}
