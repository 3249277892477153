import type { Plan } from '../../config'
import { execute } from '../../db/query'
import { dayMilliseconds, restOfMinutes } from '../../lib/days'
import { firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { planOf } from '../instance/settings'
import { countedServers, type ServerCount } from './find-pruned'
import { deletePrunedAccounts, findPrunableAccounts } from './prune-accounts'
import { deletePruned, findPrunable, lowerServers, PartChanged, takeGroups } from './prune-statuses'
import { loadState, type PruneState, type PruningSettings, StateChanged, saveState, stages } from './state'

/** Bounds of pruning. */
export interface PruneLimits {
  /** Size of the database above which statuses and accounts are pruned. */
  readonly bytes: number
  /** Rows of a day. */
  readonly rowsRead: number
  readonly rowsWritten: number
}

const megabyte = 1_000_000

/**
 * Limits of each plan of Cloudflare. Free has 500 MB, 5 million rows read and 100,000 written a day; Paid 10 GB, and
 * includes 25 billion and 50 million a month.
 */
const limitsOf: Readonly<Record<Plan, PruneLimits>> = {
  free: { bytes: 400 * megabyte, rowsRead: 1_000_000, rowsWritten: 30_000 },
  paid: { bytes: 8_000 * megabyte, rowsRead: 100_000_000, rowsWritten: 500_000 },
}

/** Size of the database above which each plan prunes, where no setting says otherwise. */
export const planBudgets: Readonly<Record<Plan, number>> = {
  free: limitsOf.free.bytes,
  paid: limitsOf.paid.bytes,
}

/** Part of the budget above which twice as many rows are written: the database would soon be full. */
const urgent = 1.1

/** Statuses and accounts inspected by a run. Each run writes some rows besides those that it deletes. */
const inspectedAtOnce = { statuses: 200, accounts: 100 }
/**
 * Rows that the deletion of a status and of an account takes, as test/scale/pruning.test.ts measures them: 62 read and 3
 * written for a status, with a margin.
 */
const rowsOf = {
  status: { read: 80, written: 4 },
  account: { read: 120, written: 25 },
} as const

const partRest = restOfMinutes(1)
const measuringRest = restOfMinutes(60)
const endRest = restOfMinutes(6 * 60)
/** Time after which a stage that came to its end begins again from the oldest: reasons to keep something end. */
const roundMilliseconds = 7 * dayMilliseconds

/**
 * Cron: measures the database. Above its budget a part of the least relevant data is deleted, oldest first: statuses by
 * unfollowed accounts, then such accounts, then statuses by followed ones. A run deletes a hundred; the
 * next comes with the next tick, until the size is below the budget or the rows of the day are used up. May run twice.
 */
export async function pruneDatabase(ctx: Ctx, given: Partial<PruneLimits> = {}): Promise<void> {
  const { state: loaded, stored, settings } = await execute(ctx.db, loadState(ctx))
  const limits = { ...pruneLimits(ctx, settings), ...given }
  const changes = new Changes()
  const state = lowerCounts(ctx, changes, loaded)
  const next = settings.pruning && state.bytes > limits.bytes ? restOf(state, limits) : null
  if (next !== null) saveState(ctx, changes, stored, next)
  else if (!settings.pruning || state.bytes <= limits.bytes)
    saveState(ctx, changes, stored, {
      ...state,
      outcome: settings.pruning ? 'within budget' : 'off',
      stage: stages[0],
      restUntil: after(ctx, measuringRest),
    })
  else saveState(ctx, changes, stored, await pruneStep(ctx, changes, state, settings))
  try {
    await commit(ctx, changes)
  } catch (failure) {
    // The next run finds the statuses as they are by then.
    if (!(failure instanceof StateChanged || failure instanceof PartChanged)) throw failure
  }
}

/** Servers whose counts wait to be lowered; the next day comes sooner on small instances. */
const mostUncounted = 500

/** Lowers the counts of servers once there are many, or a day has passed. Returns the state afterwards. */
function lowerCounts(ctx: Ctx, changes: Changes, state: PruneState): PruneState {
  const { day, servers } = state.uncounted
  const number = Object.keys(servers).length
  if (number === 0 || (number < mostUncounted && day === state.day)) return state
  changes.add(lowerServers(ctx, servers))
  return { ...state, uncounted: { day: state.day, servers: {} } }
}

/** Adds statuses of a part to those that the counts of their servers include still. */
function withUncounted(
  { uncounted, day }: PruneState,
  counts: readonly ServerCount[],
): PruneState['uncounted'] {
  const servers = { ...uncounted.servers }
  for (const { domain, statuses } of counts) servers[domain] = (servers[domain] ?? 0) + statuses
  return { day: Object.keys(uncounted.servers).length === 0 ? day : uncounted.day, servers }
}

/** Limits of the plan, with the budget of the settings. */
export function pruneLimits(ctx: Pick<Ctx, 'config'>, settings: PruningSettings): PruneLimits {
  const { databaseMegabytes } = settings
  const limits = limitsOf[planOf(ctx, settings)]
  return databaseMegabytes === null ? limits : { ...limits, bytes: databaseMegabytes * megabyte }
}

/** State of a day whose rows are used up; null where there are some left. */
function restOf(state: PruneState, limits: PruneLimits): PruneState | null {
  const rowsWritten = limits.rowsWritten * (state.bytes > limits.bytes * urgent ? 2 : 1)
  if (state.rowsRead < limits.rowsRead && state.rowsWritten < rowsWritten) return null
  return { ...state, outcome: 'paused until tomorrow', restUntil: (state.day + 1) * dayMilliseconds }
}

function after(ctx: Ctx, milliseconds: number): number {
  return ctx.clock.now().getTime() + milliseconds
}

/** Adds the deletions of a part of the current stage to `changes`, and returns the state after it. */
async function pruneStep(
  ctx: Ctx,
  changes: Changes,
  state: PruneState,
  settings: PruningSettings,
): Promise<PruneState> {
  const { stage, walks } = state
  const part = await (stage === 'accounts' ? pruneAccounts : pruneStatuses)(ctx, changes, state, settings)
  const { statuses, accounts, rowsRead, isEnd } = part
  const count = statuses + accounts
  const walked = {
    ...state,
    outcome: 'pruning' as const,
    restUntil: after(ctx, partRest),
    rowsRead: state.rowsRead + rowsRead + statuses * rowsOf.status.read + accounts * rowsOf.account.read,
    rowsWritten: state.rowsWritten + statuses * rowsOf.status.written + accounts * rowsOf.account.written,
    today: { statuses: state.today.statuses + statuses, accounts: state.today.accounts + accounts },
    total: { statuses: state.total.statuses + statuses, accounts: state.total.accounts + accounts },
    lastPrunedAt: count > 0 ? ctx.clock.now().getTime() : state.lastPrunedAt,
    walks: { ...walks, [stage]: { ...walks[stage], after: part.place } },
    uncounted: withUncounted(state, part.servers),
  }
  return isEnd ? nextStage(ctx, walked) : walked
}

/** State at the end of a stage: it begins again where its round is old, otherwise the next one comes. */
function nextStage(ctx: Ctx, state: PruneState): PruneState {
  const now = ctx.clock.now().getTime()
  const { stage, walks } = state
  if (walks[stage].since <= now - roundMilliseconds)
    return { ...state, walks: { ...walks, [stage]: { after: 0, since: now } } }
  const next = stages[stages.indexOf(stage) + 1]
  if (next !== undefined) return { ...state, stage: next }
  return { ...state, stage: stages[0], outcome: 'nothing left', restUntil: after(ctx, endRest) }
}

/** Result of a part. */
interface Part {
  readonly statuses: number
  readonly accounts: number
  /** Deleted statuses by server, as far as its counts include them. */
  readonly servers: readonly ServerCount[]
  /** Last id that was inspected: the next part begins there. */
  readonly place: number
  readonly isEnd: boolean
  readonly rowsRead: number
}

async function pruneStatuses(
  ctx: Ctx,
  changes: Changes,
  { stage, walks }: PruneState,
  { keepRemoteStatusDays, keepFollowedStatusDays }: PruningSettings,
): Promise<Part> {
  const { after: place } = walks[stage]
  const withFollowed = stage === 'followed statuses'
  const days = withFollowed ? Math.max(keepFollowedStatusDays, keepRemoteStatusDays) : keepRemoteStatusDays
  const part = {
    after: place,
    before: firstIdAt(daysAgo(ctx, days)),
    withFollowed,
    most: inspectedAtOnce.statuses,
  }
  const found = await execute(ctx.db, findPrunable(ctx, part))
  const { ids, end } = takeGroups(found.groups)
  const servers = ids.length > 0 ? await execute(ctx.db, countedServers(ctx, ids)) : []
  if (ids.length > 0) deletePruned(ctx, changes, ids)
  return {
    statuses: ids.length,
    accounts: 0,
    servers,
    place: end === null ? (found.last ?? place) : end - 1,
    isEnd: end === null && found.inspected < inspectedAtOnce.statuses,
    rowsRead: found.rowsRead,
  }
}

async function pruneAccounts(
  ctx: Ctx,
  changes: Changes,
  { walks }: PruneState,
  { keepRemoteAccountDays }: PruningSettings,
): Promise<Part> {
  const { after: place } = walks.accounts
  const part = { after: place, before: daysAgo(ctx, keepRemoteAccountDays), most: inspectedAtOnce.accounts }
  const found = await execute(ctx.db, findPrunableAccounts(ctx, part))
  if (found.ids.length > 0) deletePrunedAccounts(ctx, changes, found.ids)
  return {
    statuses: 0,
    accounts: found.ids.length,
    servers: [],
    place: found.last ?? place,
    isEnd: found.inspected < inspectedAtOnce.accounts,
    rowsRead: found.rowsRead,
  }
}

function daysAgo(ctx: Ctx, days: number): Date {
  return new Date(after(ctx, -days * dayMilliseconds))
}
