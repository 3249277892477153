import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../context'
import { ask, first, known, map, type Query } from '../db/query'
import { receivedActivities, settings } from '../db/schema'
import { each, oneRow } from '../db/sql'
import { Conflict } from '../errors'
import { dayMilliseconds } from '../lib/days'
import { Changes, commit } from './changes'
import { done, ignored, type Outcome } from './outcome'

// Servers deliver at least once and in any order. What was done and can be undone is remembered by its id, and so is
// what was undone: a copy, or an original that comes after its Undo, finds its id here and does nothing.
const keptDays = 30

/** Was the activity `uri` received or undone before? Null is the id of none. */
export function receivedBefore(ctx: Ctx, uri: string | null): Query<boolean> {
  if (uri === null) return known(false)
  const received = ctx.db.select({ received: isReceived(uri).mapWith(Number).as('received') }).from(oneRow)
  return map(first(received), (row) => row?.received === 1)
}

/** Adds to the effect of an activity that it happens once: a copy that was faster makes the batch a `Conflict`. */
export function receiveOnce(ctx: Ctx, changes: Changes, uri: string | null): void {
  if (uri === null) return
  changes.require(sql`not ${isReceived(uri)}`, new Conflict('received before'))
  neverAgain(ctx, changes, [uri])
}

/** Adds that activities with these ids do nothing from now on. The ids must be on the host of whoever undid them. */
export function neverAgain(ctx: Ctx, changes: Changes, uris: readonly (string | null)[]): void {
  const named = uris.filter((uri) => uri !== null)
  if (named.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${receivedActivities} (uri, day) select item.value, ${dayOf(ctx)} from ${each(named)}
      where true on conflict do nothing`),
  )
}

/** An Undo by its own id and that of what it takes back. Null where it has none, or one that is not its sender's. */
export interface Undoing {
  readonly uri: string | null
  readonly undoneUri: string | null
}

/** Makes sure that what was undone before it came, or was never known, does nothing when it comes. */
export async function forgetLate(ctx: Ctx, { undoneUri }: Undoing): Promise<Outcome> {
  if (undoneUri === null) return ignored('undoes what is not there')
  const changes = new Changes()
  neverAgain(ctx, changes, [undoneUri])
  await commit(ctx, changes)
  return done
}

const scannedPerRun = 2_000

/** The row of `settings` that remembers where the last run stopped. */
const placeKey = 'task.prune-received'

/** Cron: forgets ids older than any server would deliver again, a part of the table at each run and round again. */
export async function pruneReceived(ctx: Ctx): Promise<void> {
  const place = sql`coalesce((select value ->> '$' from settings where key = ${placeKey}), '')`
  const part = ctx.db
    .select({ uri: receivedActivities.uri })
    .from(receivedActivities)
    .where(sql`uri > ${place}`)
    .orderBy(receivedActivities.uri)
    .limit(1)
    .offset(scannedPerRun)
  const end = (await ask(ctx.db, first(part)))?.uri ?? null
  const upTo = end === null ? sql`1` : sql`uri <= ${end}`
  const row = { key: placeKey, value: end ?? '', updatedAt: ctx.clock.now() }
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .delete(receivedActivities)
        .where(sql`uri > ${place} and ${upTo} and day < ${dayOf(ctx) - keptDays}`),
      ctx.db
        .insert(settings)
        .values(row)
        .onConflictDoUpdate({ target: settings.key, set: { value: row.value } }),
    ),
  )
}

function isReceived(uri: string): SQL {
  return sql`exists (select 1 from ${receivedActivities} where uri = ${uri})`
}

function dayOf(ctx: Ctx): number {
  return Math.floor(ctx.clock.now().getTime() / dayMilliseconds)
}
