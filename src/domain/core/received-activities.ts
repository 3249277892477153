import { and, eq, gt, lt, lte, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { constant, execute, first, jsonRows, map, oneRow, type Query, rows } from '../../db/query'
import { receivedActivities, settings } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import { registrableDomain } from '../../lib/registrable-domain'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome } from './changes'

// Servers deliver at least once and in any order. Activities that can be undone are remembered by id, and so are
// those that were undone: a copy, or an original that comes after its Undo, finds its id here and does nothing.
const keptDays = 30

/** Whether the activity `uri` was received or undone before. Null, an activity without id, never was. */
export function wasReceived(ctx: Ctx, uri: string | null): Query<boolean> {
  if (uri === null) return constant(false)
  const received = ctx.db.select({ received: isReceived(uri).mapWith(Number).as('received') }).from(oneRow)
  return map(first(received), (row) => row?.received === 1)
}

/** Makes the effect of an activity happen once: a copy committed earlier makes the batch a `Conflict`. */
export function deduplicateActivity(ctx: Ctx, changes: Changes, uri: string | null): void {
  if (uri === null) return
  changes.require(sql`not ${isReceived(uri)}`, new Conflict('received_before'))
  tombstoneActivity(ctx, changes, [uri])
}

/**
 * Makes later activities and objects with these ids have no effect. The ids must be on the host of the actor that
 * undid or deleted them.
 */
export function tombstoneActivity(ctx: Ctx, changes: Changes, uris: readonly (string | null)[]): void {
  storeReceived(ctx, changes, { uris, day: dayOf(ctx) })
}

function storeReceived(
  ctx: Ctx,
  changes: Changes,
  { uris, day }: { readonly uris: readonly (string | null)[]; readonly day: number },
): void {
  const ids = uris.filter((uri) => uri !== null)
  if (ids.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${receivedActivities} (uri, day) select item.value, ${day} from ${jsonRows(ids)}
      where true on conflict do nothing`),
  )
}

/** Days that late activities are waited for: servers give a delivery up after some days. */
const waitedForDays = 7

/** Undos of unknown activities remembered per server and hour. */
const maxUnknown = 200
const unknownSeconds = 3_600

/**
 * Tombstones an unknown activity or object that was undone or deleted before it arrived. False, with nothing added,
 * when its server undoes more than could still be in transit: this bounds the rows that other servers can create
 * here for free.
 */
export function tombstoneUnknown(ctx: Ctx, changes: Changes, uri: string): boolean {
  if (
    ctx.memory.increment(`unknown of ${registrableDomain(hostOf(uri) ?? uri)}`, unknownSeconds) > maxUnknown
  )
    return false
  storeReceived(ctx, changes, { uris: [uri], day: dayOf(ctx) - (keptDays - waitedForDays) })
  return true
}

/**
 * Undo by its own id and that of the undone activity. Null for a missing id, or one that is not on the sender's
 * host.
 */
export interface ReceivedUndo {
  readonly uri: string | null
  readonly undoneUri: string | null
}

/** Makes an activity that was undone before it arrived, or was never known, have no effect when it arrives. */
export async function ignoreLateActivity(ctx: Ctx, { undoneUri }: ReceivedUndo): Promise<Outcome> {
  if (undoneUri === null) return ignored('the undone activity is unknown')
  const changes = new Changes()
  if (!tombstoneUnknown(ctx, changes, undoneUri)) return ignored('too many undos of unknown activities')
  await commit(ctx, changes)
  return done
}

const scannedPerRun = 2_000

/** Row of `settings` with the position where the last run stopped. */
const placeKey = 'task.prune-received'

/** Time between two rounds through the table: each reads all of it. */
const betweenRoundsMilliseconds = 2 * dayMilliseconds

/**
 * Position of a round through the table, the rows it left, its retention in days, and the time at which it begins, in
 * milliseconds.
 */
const PruneProgress = z.object({
  after: z.string(),
  left: z.number(),
  days: z.number(),
  restUntil: z.number().default(0),
})

/** Rows a round may leave before the next one shortens the retention, down to the minimum. */
const usualBounds = { most: 200_000, leastDays: 2 }

/** Condition: a round through the table is under way, or due. */
export const isPruneDue = ({ clock }: Ctx) => sql`not exists (select 1 from settings
  where key = ${placeKey} and cast(value ->> 'restUntil' as integer) > ${clock.now().getTime()})`

/**
 * Cron: deletes ids older than any server would deliver again, a part of the table per run, round after round. When
 * a whole round leaves too many rows, the next one shortens the retention: remote servers fill this table.
 */
export async function pruneReceivedActivities(ctx: Ctx, bounds = usualBounds): Promise<void> {
  const stored = first(ctx.db.select().from(settings).where(eq(settings.key, placeKey)))
  const { after, left, days } = parseProgress(await execute(ctx.db, stored))
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
    ? {
        after: '',
        left: 0,
        days: daysAfter(leftNow, bounds),
        restUntil: ctx.clock.now().getTime() + betweenRoundsMilliseconds,
      }
    : { after: end, left: leftNow, days, restUntil: 0 }
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

function parseProgress(row: { readonly value: unknown } | null): z.output<typeof PruneProgress> {
  const place = PruneProgress.safeParse(row?.value)
  return place.success ? place.data : { after: '', left: 0, days: keptDays, restUntil: 0 }
}

function daysAfter(left: number, { most, leastDays }: typeof usualBounds): number {
  return left <= most ? keptDays : Math.max(leastDays, Math.floor((keptDays * most) / left))
}

/** Condition: an activity or object with this id was received, undone or deleted before. `uri` may be a column. */
export function isReceived(uri: string | SQL): SQL {
  return sql`exists (select 1 from ${receivedActivities} where uri = ${uri})`
}

function dayOf(ctx: Ctx): number {
  return Math.floor(ctx.clock.now().getTime() / dayMilliseconds)
}
