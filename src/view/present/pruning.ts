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
  /** Whether the settings have pruning on. */
  readonly isOn: boolean
  readonly limits: { readonly bytes: number; readonly rowsRead: number; readonly rowsWritten: number }
}

/** The last run judged the size of then, and the settings of then. */
function outcomeNow({ state, limits, isOn }: PruningFacts): Pruning['outcome'] {
  if (!isOn) return 'off'
  if (state.outcome !== 'off' && state.outcome !== 'within budget') return state.outcome
  return state.bytes > limits.bytes ? 'above budget' : 'within budget'
}

export function presentPruning(facts: PruningFacts): Pruning {
  const { state, limits } = facts
  const at = (time: number | null) => timestampOrNull(time === null || time === 0 ? null : new Date(time))
  return {
    outcome: outcomeNow(facts),
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
