import { and, eq, gt, lt, lte, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { constant, execute, first, map, type Query, rows } from '../../db/query'
import { receivedActivities, settings } from '../../db/schema'
import { jsonRows, oneRow } from '../../db/sql'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import { registrableDomain } from '../../lib/registrable-domain'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from './changes'
import { done, ignored, type Outcome } from './outcome'

// Servers deliver at least once and in any order. What was done and can be undone is remembered by its id, and so is
// what was undone: a copy, or an original that comes after its Undo, finds its id here and does nothing.
const keptDays = 30

/** Was the activity `uri` received or undone before? Null is the id of none. */
export function wasReceived(ctx: Ctx, uri: string | null): Query<boolean> {
  if (uri === null) return constant(false)
  const received = ctx.db.select({ received: isReceived(uri).mapWith(Number).as('received') }).from(oneRow)
  return map(first(received), (row) => row?.received === 1)
}

/** Adds to the effect of an activity that it happens once: a copy that was faster makes the batch a `Conflict`. */
export function deduplicateActivity(ctx: Ctx, changes: Changes, uri: string | null): void {
  if (uri === null) return
  changes.require(sql`not ${isReceived(uri)}`, new Conflict('received before'))
  tombstoneActivity(ctx, changes, [uri])
}

/**
 * Adds that activities and objects with these ids do nothing from now on. The ids must be on the host of whoever undid
 * or deleted them.
 */
export function tombstoneActivity(ctx: Ctx, changes: Changes, uris: readonly (string | null)[]): void {
  storeReceived(ctx, changes, { uris, day: dayOf(ctx) })
}

function storeReceived(
  ctx: Ctx,
  changes: Changes,
  { uris, day }: { readonly uris: readonly (string | null)[]; readonly day: number },
): void {
  const named = uris.filter((uri) => uri !== null)
  if (named.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${receivedActivities} (uri, day) select item.value, ${day} from ${jsonRows(named)}
      where true on conflict do nothing`),
  )
}

/** How long what is still on its way is waited for: servers give a delivery up after some days. */
const waitedForDays = 7

/** Of what nobody here knew, how much one server may take back in an hour and have it remembered. */
const mostUnknown = 200
const unknownSeconds = 3_600

/**
 * Adds that what is not here does nothing should it come after all, having been undone or deleted before. False, and
 * nothing is added, where its server takes back more than could still be on its way: such rows cost a stranger nothing.
 */
export function tombstoneUnknown(ctx: Ctx, changes: Changes, uri: string): boolean {
  if (
    ctx.memory.increment(`unknown of ${registrableDomain(hostOf(uri) ?? uri)}`, unknownSeconds) > mostUnknown
  )
    return false
  storeReceived(ctx, changes, { uris: [uri], day: dayOf(ctx) - (keptDays - waitedForDays) })
  return true
}

/** An Undo by its own id and that of what it takes back. Null where it has none, or one that is not its sender's. */
export interface ReceivedUndo {
  readonly uri: string | null
  readonly undoneUri: string | null
}

/** Makes sure that what was undone before it came, or was never known, does nothing when it comes. */
export async function ignoreLateActivity(ctx: Ctx, { undoneUri }: ReceivedUndo): Promise<Outcome> {
  if (undoneUri === null) return ignored('undoes what is not there')
  const changes = new Changes()
  if (!tombstoneUnknown(ctx, changes, undoneUri)) return ignored('takes back too much that is not there')
  await commit(ctx, changes)
  return done
}

const scannedPerRun = 2_000

/** The row of `settings` that remembers where the last run stopped. */
const placeKey = 'task.prune-received'

/** How far a round through the table came, how much it left, and how many days are kept in it. */
const PruneProgress = z.object({ after: z.string(), left: z.number(), days: z.number() })

/** What a round may leave before the next one keeps fewer days, down to the least. */
const usualBounds = { most: 200_000, leastDays: 2 }

/**
 * Cron: forgets ids older than any server would deliver again, a part of the table at each run and round again. Where
 * a whole round leaves too many, the next one keeps fewer days: strangers fill this table.
 */
export async function pruneReceivedActivities(ctx: Ctx, bounds = usualBounds): Promise<void> {
  const stored = first(ctx.db.select().from(settings).where(eq(settings.key, placeKey)))
  const { after, left, days } = placeIn(await execute(ctx.db, stored))
  const part = rows(
    ctx.db
      .select({ uri: receivedActivities.uri })
      .from(receivedActivities)
      .where(gt(receivedActivities.uri, after))
      .orderBy(receivedActivities.uri)
      .limit(scannedPerRun),
  )
  const scanned = await execute(ctx.db, part)
  const end = scanned.at(-1)?.uri ?? after
  const inPart = and(gt(receivedActivities.uri, after), lte(receivedActivities.uri, end))
  const [dropped = 0] = await commit(
    ctx,
    new Changes().add(
      ctx.db.delete(receivedActivities).where(and(inPart, lt(receivedActivities.day, dayOf(ctx) - days))),
    ),
  )
  const leftNow = left + scanned.length - dropped
  const isOver = scanned.length < scannedPerRun
  const next = isOver
    ? { after: '', left: 0, days: daysAfter(leftNow, bounds) }
    : { after: end, left: leftNow, days }
  const row = { key: placeKey, value: next, updatedAt: ctx.clock.now() }
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .insert(settings)
        .values(row)
        .onConflictDoUpdate({ target: settings.key, set: { value: row.value } }),
    ),
  )
}

function placeIn(row: { readonly value: unknown } | null): z.output<typeof PruneProgress> {
  const place = PruneProgress.safeParse(row?.value)
  return place.success ? place.data : { after: '', left: 0, days: keptDays }
}

function daysAfter(left: number, { most, leastDays }: typeof usualBounds): number {
  return left <= most ? keptDays : Math.max(leastDays, Math.floor((keptDays * most) / left))
}

/** For conditions: was something with this id received, undone or deleted before? `uri` may be a column. */
export function isReceived(uri: string | SQL): SQL {
  return sql`exists (select 1 from ${receivedActivities} where uri = ${uri})`
}

function dayOf(ctx: Ctx): number {
  return Math.floor(ctx.clock.now().getTime() / dayMilliseconds)
}
