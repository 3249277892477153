import * as z from 'zod'
import { declareGroup } from '../lib/command-line/declare.mjs'

const Pruned = z.object({ statuses: z.int(), accounts: z.int() })
const Rows = z.object({ read: z.int(), written: z.int() })

export const group = declareGroup({
  name: 'pruning',
  summary: 'Pruning of copies of remote posts and accounts above the budget of the database',
  notes: [
    'Settings decide about it: pruning, databaseMegabytes, keepRemoteStatusDays, keepFollowedStatusDays …',
  ],
  commands: [
    {
      name: 'status',
      summary: 'Size of the database and its budget, what was pruned, and what is pruned next',
      calls: ['GET /api/fieldfare/v1/admin/pruning'],
      result: z.object({
        outcome: z.string(),
        bytes: z.int(),
        budget_bytes: z.int(),
        measured_at: z.string().nullable(),
        next_run_at: z.string().nullable(),
        last_pruned_at: z.string().nullable(),
        stage: z.string(),
        pruned_today: Pruned,
        pruned_in_total: Pruned,
        rows_today: Rows,
        rows_a_day: Rows,
      }),
      run: ({ instance }) => instance.admin('GET', 'pruning'),
      lines: (state) => [
        `state     ${state.outcome}${state.outcome === 'pruning' ? `: ${state.stage}` : ''}`,
        `database  ${megabytes(state.bytes)} of ${megabytes(state.budget_bytes)}, ${
          state.measured_at === null ? 'not measured yet' : `measured ${state.measured_at.slice(0, 16)}`
        }`,
        `today     ${prunedLine(state.pruned_today)}`,
        `in total  ${prunedLine(state.pruned_in_total)}`,
      ],
    },
  ],
})

function prunedLine({ statuses, accounts }) {
  return `${statuses} posts and ${accounts} accounts pruned`
}

function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
