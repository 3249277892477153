import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { execute, first, inList, jsonRows, limitTo } from '../../db/query'
import { importEntries, imports } from '../../db/schema'
import type { TransferKind } from '../../db/schema/transfers'
import { InvalidFields, NotFound } from '../../errors'
import { problem } from '../../errors/sentences'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { compareWithHeld } from './compare'
import { type Entry, type ImportLine, keyOf, parseLines } from './entries'
import { type Import, mayOwnerAct } from './find'

/** More than real accounts follow, and an evening's work for the queue. */
const maxLines = 20_000
/** Lines in one statement: a parameter takes two megabytes. */
const linesAtOnce = 2_000
const unreadable: Readonly<Record<TransferKind, string>> = {
  following: 'This is no address of an account',
  lists: 'This is no title with an address of an account',
  blocks: 'This is no address of an account',
  mutes: 'This is no address of an account',
  domain_blocks: 'This is no domain of another server',
  bookmarks: 'This is no address of a post',
}

export interface ImportOrder {
  readonly kind: TransferKind
  readonly text: string
  /** Entries missing in the file are removed. */
  readonly overwrite: boolean
}

/**
 * Stores a file and its planned changes; its owner confirms with `startImport`. Unreadable lines are stored as failed. A file
 * that waits already is discarded.
 *
 * `Invalid` about `file` where it is of another kind, has no readable line, or more than 20,000, and while another import of the same
 * account runs.
 */
export async function storeImport(ctx: Ctx, owner: AccountId, order: ImportOrder): Promise<void> {
  const { kind, overwrite } = order
  const { ownDomains, domain: ownDomain } = ctx.config
  const lines = parseLines(order.text, kind, { ownDomains, ownDomain })
  if (lines === null) throw new InvalidFields([problem('other_kind_of_list', { field: 'file' })])
  if (lines.length > maxLines)
    throw new InvalidFields([problem('too_many_lines', { field: 'file', max: maxLines })])
  const failed = lines.filter(({ entry }) => entry === null).length
  if (failed === lines.length) throw new InvalidFields([problem('no_usable_line', { field: 'file' })])
  const id = ctx.ids.next()
  const now = ctx.clock.now()
  const waits = and(eq(imports.accountId, owner), eq(imports.state, 'waiting'))
  const changes = new Changes().require(sql`not ${isRunning(owner)}`, stillRunning()).add(
    ctx.db.update(imports).set(discarded(ctx)).where(waits),
    ctx.db.insert(imports).values({
      id,
      accountId: owner,
      kind,
      overwrite,
      state: 'waiting',
      total: lines.length,
      failed,
      createdAt: now,
      progressedAt: now,
    }),
  )
  for (let at = 0; at < lines.length; at += linesAtOnce)
    changes.add(storeLines(ctx, { id, kind, lines: lines.slice(at, at + linesAtOnce) }))
  changes.add(...compareWithHeld(ctx, { owner, kind, importId: id, overwrite }))
  await commit(ctx, changes)
}

/** Condition: an import of the account is under way. */
function isRunning(owner: AccountId): SQL {
  return sql`exists (select 1 from imports i
    where i.account_id = ${owner} and i.finished_at is null and i.state <> 'waiting')`
}

const stillRunning = () => new InvalidFields([problem('import_unfinished', { field: 'file' })])

const discarded = ({ clock }: Ctx) => ({ state: 'discarded' as const, finishedAt: clock.now() })

/** Starts an import that waits; a job does the rest (`run-import`). `NotFound` for one that does not wait. */
export async function startImport(ctx: Ctx, owner: AccountId, id: number): Promise<void> {
  await leaveState(ctx, owner, {
    id,
    from: 'waiting',
    set: {
      state: sql`iif(overwrite, 'clearing', 'adding')`,
      progressedAt: ctx.clock.now(),
    },
    isWork: true,
  })
}

/** Discards an import that waits: nothing of it happens. `NotFound` for one that does not wait. */
export async function discardImport(ctx: Ctx, owner: AccountId, id: number): Promise<void> {
  await leaveState(ctx, owner, { id, from: 'waiting', set: discarded(ctx), isWork: false })
}

/**
 * Undoes a finished import by a job: removes added entries and restores removed ones. `NotFound`
 * for one that is not finished, `Invalid` while another one runs.
 */
export async function undoImport(ctx: Ctx, owner: AccountId, id: number): Promise<void> {
  await leaveState(ctx, owner, {
    id,
    from: 'finished',
    set: { state: 'undoing', finishedAt: null, progressedAt: ctx.clock.now() },
    isWork: true,
  })
}

interface Step {
  readonly id: number
  readonly from: Import['state']
  readonly set: Pick<SQLiteUpdateSetSource<typeof imports>, 'state' | 'progressedAt' | 'finishedAt'>
  /** A job continues it. */
  readonly isWork: boolean
}

async function leaveState(ctx: Ctx, owner: AccountId, { id, from, set, isWork }: Step): Promise<void> {
  const isThere = sql`exists (select 1 from imports i where i.id = ${id} and i.account_id = ${owner} and i.state = ${from})`
  const changes = new Changes()
    .require(isThere, new NotFound())
    .add(ctx.db.update(imports).set(set).where(eq(imports.id, id)))
  if (isWork)
    changes
      .require(sql`not ${isRunning(owner)}`, stillRunning())
      .enqueue({ kind: 'run-import', importId: id })
  await commit(ctx, changes)
}

function storeLines(
  ctx: Ctx,
  {
    id,
    kind,
    lines,
  }: { readonly id: number; readonly kind: TransferKind; readonly lines: readonly ImportLine[] },
) {
  const list = lines.map(({ key, entry, cells }) => ({
    key,
    entry: { entry, cells },
    error: entry === null ? unreadable[kind] : null,
  }))
  return ctx.db.run(sql`insert into ${importEntries} (import_id, key, entry, error)
    select ${id}, item.value ->> 'key', item.value -> 'entry', item.value ->> 'error' from ${jsonRows(list)}`)
}

/** The result of an entry: its outcome, or why it failed. */
export interface EntryResult {
  readonly key: string
  readonly error: string | null
}

/** Stores successes and failures. What was here when the file was uploaded is kept, other entries are added. Idempotent. */
export async function recordResults(
  ctx: Ctx,
  importId: number,
  results: readonly EntryResult[],
): Promise<void> {
  const done = results.flatMap(({ key, error }) => (error === null ? [key] : []))
  const failed = results.filter(({ error }) => error !== null)
  const isWaiting = sql`import_id = ${importId} and error is null and outcome is null`
  const open = (keys: readonly string[]) =>
    sql`(select count(*) from import_entries where ${isWaiting} and ${inList(sql`key`, keys)})`
  const changes = new Changes().add(
    ctx.db
      .update(imports)
      .set({
        done: sql`${imports.done} + ${open(done)}`,
        failed: sql`${imports.failed} + ${open(failed.map(({ key }) => key))}`,
        progressedAt: ctx.clock.now(),
      })
      .where(eq(imports.id, importId)),
    ctx.db
      .update(importEntries)
      .set({ outcome: sql`iif(present, 'kept', 'added')` })
      .where(sql`${isWaiting} and ${inList(sql`key`, done)}`),
    ctx.db.run(sql`update import_entries set error = (
        select item.value ->> 'error' from ${jsonRows(failed)} where item.value ->> 'key' = import_entries.key)
      where ${isWaiting} and key in (select item.value ->> 'key' from ${jsonRows(failed)})`),
  )
  await commit(ctx, changes)
}

/** Stores what was removed, as the file lacks it. Idempotent. */
export async function recordRemovals(ctx: Ctx, importId: number, removed: readonly Entry[]): Promise<void> {
  const { domain } = ctx.config
  const list = removed.map((entry) => ({ key: keyOf(entry, domain), entry: { entry, cells: [] } }))
  const changes = new Changes().add(
    ctx.db.update(imports).set({ progressedAt: ctx.clock.now() }).where(eq(imports.id, importId)),
    ctx.db.run(sql`insert into ${importEntries} (import_id, key, entry, outcome)
      select ${importId}, item.value ->> 'key', item.value -> 'entry', 'removed' from ${jsonRows(list)}
      where true on conflict do nothing`),
  )
  await commit(ctx, changes)
}

/** Stores that entries were undone. Idempotent. */
export async function recordUndone(ctx: Ctx, importId: number, keys: readonly string[]): Promise<void> {
  const changes = new Changes().add(
    ctx.db.update(imports).set({ progressedAt: ctx.clock.now() }).where(eq(imports.id, importId)),
    ctx.db
      .update(importEntries)
      .set({ outcome: 'undone' })
      .where(sql`import_id = ${importId} and ${inList(sql`key`, keys)}`),
  )
  await commit(ctx, changes)
}

/** Starts adding the file's entries, once every entry missing in it is removed. */
export async function beginAdding(ctx: Ctx, { id }: Pick<Import, 'id'>): Promise<void> {
  const isClearing = and(eq(imports.id, id), eq(imports.state, 'clearing'))
  const set = { state: 'adding' as const, progressedAt: ctx.clock.now() }
  await commit(ctx, new Changes().add(ctx.db.update(imports).set(set).where(isClearing)))
}

/** Ends an import, or its undoing. */
export async function finishImport(ctx: Ctx, { id }: Pick<Import, 'id'>): Promise<void> {
  const isOpen = sql`${imports.id} = ${id} and ${imports.finishedAt} is null`
  await commit(ctx, new Changes().add(ctx.db.update(imports).set(finished(ctx)).where(isOpen)))
}

const finished = ({ clock }: Ctx) => ({
  state: sql`iif(state = 'undoing', 'undone', 'finished')`,
  finishedAt: clock.now(),
})

/** Entries of old imports that one run deletes: those that failed, of twenty thousand. */
const entriesAtOnce = 2_000
/** Retention of the list of failures. */
const keptMilliseconds = 14 * dayMilliseconds
/** Time after which an import without progress has lost its job. */
const restMilliseconds = 30 * 60_000

/** Retention of a file whose owner says neither yes nor no. */
const waitingMilliseconds = dayMilliseconds

/** Conditions of the cron task: each is true for an import alone. */
function overdueImports({ clock }: Ctx) {
  const now = clock.now().getTime()
  return {
    isStalled: sql`finished_at is null and progressed_at < ${now - restMilliseconds} and state <> 'waiting'`,
    waitsLong: sql`finished_at is null and progressed_at < ${now - waitingMilliseconds} and state = 'waiting'`,
    isOld: sql`finished_at is not null and finished_at < ${now - keptMilliseconds}`,
  }
}

/** Condition: an import has stalled, waits for too long, or is old. */
export function hasStalledImports(ctx: Ctx): SQL {
  const { isStalled, waitsLong, isOld } = overdueImports(ctx)
  return sql`(exists (select 1 from imports where ${isStalled}) or exists (select 1 from imports where ${waitsLong})
    or exists (select 1 from imports where ${isOld}))`
}

/** Cron: deletes old imports, discards one that waits for a day, and resumes a stalled one, or ends it where its owner may not act any more. */
export async function resumeStalledImports(ctx: Ctx): Promise<void> {
  const { isStalled, waitsLong, isOld } = overdueImports(ctx)
  const stopped = await execute(
    ctx.db,
    first(
      ctx.db
        .select({ id: imports.id, isOpen: mayOwnerAct.as('is_open') })
        .from(imports)
        .where(isStalled)
        .orderBy(imports.progressedAt)
        .limit(1),
    ),
  )
  const some = sql`select entry.import_id, entry.key from imports cross join import_entries entry
    on entry.import_id = imports.id where ${isOld} ${limitTo(entriesAtOnce)}`
  const changes = new Changes().add(
    ctx.db.update(imports).set(discarded(ctx)).where(waitsLong),
    ctx.db.delete(importEntries).where(sql`(import_id, key) in (${some})`),
    ctx.db.delete(imports).where(sql`${isOld} and not exists (
      select 1 from import_entries entry where entry.import_id = imports.id)`),
  )
  if (stopped?.isOpen === false)
    changes.add(ctx.db.update(imports).set(finished(ctx)).where(eq(imports.id, stopped.id)))
  else if (stopped !== null)
    changes
      .add(ctx.db.update(imports).set({ progressedAt: ctx.clock.now() }).where(eq(imports.id, stopped.id)))
      .enqueue({ kind: 'run-import', importId: stopped.id })
  await commit(ctx, changes)
}
