import * as z from 'zod'
import { Timestamp } from '../../scalars'

const Pruned = z.strictObject({ statuses: z.int(), accounts: z.int() })
const Rows = z.strictObject({ read: z.int(), written: z.int() })

/** State of pruning. Own entity. */
export const Pruning = z
  .strictObject({
    // `above budget`: pruning has not run since the database became too large.
    outcome: z.enum([
      'off',
      'within budget',
      'above budget',
      'pruning',
      'paused until tomorrow',
      'nothing left',
    ]),
    // Size of the database, and the size above which statuses and accounts are pruned.
    bytes: z.int(),
    budget_bytes: z.int(),
    // Null before the first run.
    measured_at: Timestamp.nullable(),
    next_run_at: Timestamp.nullable(),
    last_pruned_at: Timestamp.nullable(),
    // Kind of rows that is pruned next.
    stage: z.enum(['unfollowed statuses', 'accounts', 'followed statuses']),
    pruned_today: Pruned,
    pruned_in_total: Pruned,
    // Rows used today, as far as estimated, and those that may be.
    rows_today: Rows,
    rows_a_day: Rows,
  })
  .meta({ id: 'FieldfarePruning' })
export type Pruning = z.infer<typeof Pruning>
