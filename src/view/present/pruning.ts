import type { Pruning } from '../../contract/entities/admin/pruning'
import { timestampOrNull } from './time'

/** State of pruning with its limits; times in milliseconds, 0 for those that have not come. */
export interface PruningFacts {
  readonly state: Pick<Pruning, 'outcome' | 'bytes' | 'stage'> & {
    readonly measuredAt: number
    readonly restUntil: number
    readonly lastPrunedAt: number | null
    readonly today: Pruning['pruned_today']
    readonly total: Pruning['pruned_in_total']
    readonly rowsRead: number
    readonly rowsWritten: number
  }
  readonly limits: { readonly bytes: number; readonly rowsRead: number; readonly rowsWritten: number }
}

export function presentPruning({ state, limits }: PruningFacts): Pruning {
  const at = (time: number | null) => timestampOrNull(time === null || time === 0 ? null : new Date(time))
  return {
    outcome: state.outcome,
    bytes: state.bytes,
    budget_bytes: limits.bytes,
    measured_at: at(state.measuredAt),
    next_run_at: at(state.restUntil),
    last_pruned_at: at(state.lastPrunedAt),
    stage: state.stage,
    pruned_today: state.today,
    pruned_in_total: state.total,
    rows_today: { read: state.rowsRead, written: state.rowsWritten },
    rows_a_day: { read: limits.rowsRead, written: limits.rowsWritten },
  }
}
