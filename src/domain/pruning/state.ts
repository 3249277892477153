import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { metaOf } from '../../db/observed-binding'
import { combineQueries, first, map, oneRow, type Query, rawResults } from '../../db/query'
import { settings } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { type InstanceSettings, pickSettings } from '../instance/settings'

/** Row of `settings` with the state of pruning. */
const stateKey = 'task.prune'

/** Kinds of rows pruned above the budget, the least wanted first. */
export const stages = ['unfollowed statuses', 'accounts', 'followed statuses'] as const

/** Results of a run. */
const outcomes = ['off', 'within budget', 'pruning', 'paused until tomorrow', 'nothing left'] as const

const Counts = z.object({ statuses: z.number(), accounts: z.number() })

const State = z.object({
  outcome: z.enum(outcomes),
  /** Bytes of the database, as D1 reports them, and the time of the measurement. */
  bytes: z.number(),
  measuredAt: z.number(),
  /** The next run comes at this time or later. */
  restUntil: z.number(),
  stage: z.enum(stages),
  /** Last id that each stage inspected, and the time at which it began from the oldest. */
  walks: z.record(z.enum(stages), z.object({ after: z.number(), since: z.number() })),
  /** Day since 1970, and what pruning used of its allowance then. */
  day: z.number(),
  rowsRead: z.number(),
  rowsWritten: z.number(),
  today: Counts,
  total: Counts,
  lastPrunedAt: z.number().nullable(),
  /** Pruned statuses by server that its counts include still, and the day of the first. */
  uncounted: z
    .object({ day: z.number(), servers: z.record(z.string(), z.number()) })
    .default({ day: 0, servers: {} }),
})

export type PruneState = Readonly<z.output<typeof State>>

const none = { statuses: 0, accounts: 0 }

function initialState(now: number): PruneState {
  const walk = { after: 0, since: now }
  return {
    outcome: 'within budget',
    bytes: 0,
    measuredAt: 0,
    restUntil: 0,
    stage: 'unfollowed statuses',
    walks: { 'unfollowed statuses': walk, accounts: walk, 'followed statuses': walk },
    day: 0,
    rowsRead: 0,
    rowsWritten: 0,
    today: none,
    total: none,
    lastPrunedAt: null,
    uncounted: { day: 0, servers: {} },
  }
}

/** Condition: the time of the next run has come. */
export const isPruningDue = ({ clock }: Ctx) => sql`not exists (select 1 from settings
  where key = ${stateKey} and cast(value ->> 'restUntil' as integer) > ${clock.now().getTime()})`

export const pruningSettings = [
  'pruning',
  'databaseMegabytes',
  'plan',
  'keepRemoteStatusDays',
  'keepFollowedStatusDays',
  'keepRemoteAccountDays',
] as const satisfies readonly (keyof InstanceSettings)[]

export type PruningSettings = Pick<InstanceSettings, (typeof pruningSettings)[number]>

export interface LoadedState {
  readonly state: PruneState
  /** The row as stored; null if missing. */
  readonly stored: string | null
  readonly settings: PruningSettings
}

/** Loads the state as of now: the size of the database measured again, the allowance of a new day whole. */
export function loadState(ctx: Ctx): Query<LoadedState> {
  const now = ctx.clock.now()
  const query = combineQueries({
    stored: first(
      ctx.db
        .select({
          value: sql<string | null>`(select value from settings where key = ${stateKey})`.as('value'),
        })
        .from(oneRow),
    ),
    settings: pickSettings(ctx, pruningSettings),
    measured: rawResults([ctx.db.run(sql`select 1`)]),
  })
  return map(query, ({ stored, settings: chosen, measured: [result] }) => {
    const text = stored?.value ?? null
    const held = parseState(text) ?? initialState(now.getTime())
    const today = dayOf(now)
    const ofDay = held.day === today ? {} : { day: today, rowsRead: 0, rowsWritten: 0, today: none }
    const state = { ...held, ...ofDay, bytes: metaOf(result).size_after, measuredAt: now.getTime() }
    return { state, stored: text, settings: chosen }
  })
}

/** State as the last run left it; null before the first. */
export function lastState(ctx: Ctx): Query<PruneState | null> {
  const found = first(
    ctx.db
      .select({ value: sql<string | null>`(select value from settings where key = ${stateKey})`.as('value') })
      .from(oneRow),
  )
  return map(found, (row) => parseState(row?.value ?? null))
}

function parseState(text: string | null): PruneState | null {
  if (text === null) return null
  const parsed = State.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data : null
}

/** Another run has stored its state meanwhile. */
export class StateChanged extends Conflict {
  override readonly name = 'StateChanged'
}

/** Adds the new state, unless another run stored one since `stored` was read: the batch fails with `StateChanged`. */
export function saveState(ctx: Ctx, changes: Changes, stored: string | null, state: PruneState): void {
  const row = { key: stateKey, value: state, updatedAt: ctx.clock.now() }
  changes
    .require(
      sql`(select value from settings where key = ${stateKey}) is ${stored}`,
      new StateChanged('pruned_meanwhile'),
    )
    .add(
      ctx.db
        .insert(settings)
        .values(row)
        .onConflictDoUpdate({
          target: settings.key,
          set: { value: row.value, updatedAt: row.updatedAt },
        }),
    )
}
