import * as z from 'zod'
import { declareGroup } from '../lib/command-line/declare.mjs'
import { bytesText } from '../lib/command-line/text.mjs'

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
      route: 'GET /api/fieldfare/v1/admin/pruning',
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
      lines: (state) => [
        `state     ${state.outcome}${detailOf(state)}`,
        `database  ${bytesText(state.bytes)} of ${bytesText(state.budget_bytes)}, ${
          state.measured_at === null ? 'not measured yet' : `measured ${state.measured_at.slice(0, 16)}`
        }`,
        `today     ${prunedLine(state.pruned_today)}`,
        `in total  ${prunedLine(state.pruned_in_total)}`,
      ],
    },
  ],
})

function detailOf({ outcome, stage, next_run_at: next }) {
  if (outcome === 'pruning') return `: ${stage}`
  if (outcome !== 'above budget') return ''
  return `: pruning begins ${next === null ? 'with the next tick' : `at ${next.slice(0, 16)}`}`
}

function prunedLine({ statuses, accounts }) {
  return `${statuses} posts and ${accounts} accounts pruned`
}
