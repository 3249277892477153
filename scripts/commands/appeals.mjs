import * as z from 'zod'
import { arg, Done, declareGroup, flag, id } from '../lib/command-line/declare.mjs'
import { plain } from '../lib/command-line/text.mjs'

const Appeal = z.object({
  id: z.string(),
  created_at: z.string(),
  state: z.string(),
  text: z.string(),
  strike: z.object({ target_acct: z.string(), action: z.string() }),
})

export const group = declareGroup({
  name: 'appeals',
  summary: 'Appeals of members against decisions of moderators',
  commands: [
    {
      name: 'list',
      summary: 'Appeals that wait for a decision, newest first',
      options: { all: flag('Decided ones as well') },
      calls: ['GET /api/fieldfare/v1/admin/appeals'],
      result: z.object({ appeals: z.array(Appeal) }),
      run: async ({ input: { all = false }, instance }) => ({
        appeals: await instance.every('/api/fieldfare/v1/admin/appeals', { limit: 80, all }),
      }),
      lines: ({ appeals }) => (appeals.length === 0 ? ['No appeal waits.'] : appeals.map(lineOf)),
    },
    ...[
      ['approve', 'Approves an appeal, which undoes the action', 'approved'],
      ['reject', 'Rejects an appeal, which leaves the action as it is', 'rejected'],
    ].map(([name, summary, said]) => ({
      name,
      summary,
      args: [arg('ID', 'Id of the appeal', id)],
      route: `POST /api/fieldfare/v1/admin/appeals/:id/${name}`,
      result: Done,
      lines: (_result, input) => [`Appeal ${input.id} is ${said}.`],
    })),
  ],
})

function lineOf({ id: name, created_at: at, state, strike, text }) {
  return plain([name, at.slice(0, 10), state, strike.target_acct, strike.action, `“${text}”`].join('  '))
}
