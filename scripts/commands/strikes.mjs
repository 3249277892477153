import * as z from 'zod'
import { arg, declareGroup, id, optional } from '../lib/command-line/declare.mjs'
import { findAccount } from '../lib/command-line/find-by-name.mjs'
import { plain } from '../lib/command-line/text.mjs'

const Strike = z.object({
  id: z.string(),
  created_at: z.string(),
  action: z.string(),
  text: z.string(),
  overruled_at: z.string().nullable(),
  target_acct: z.string(),
})
const Evidence = z.object({
  status_id: z.string(),
  created_at: z.string(),
  content: z.string(),
  deleted: z.boolean(),
})

export const group = declareGroup({
  name: 'strikes',
  summary: 'Strikes: decisions of moderators against accounts, with their evidence',
  commands: [
    {
      name: 'list',
      summary: 'The newest 80 strikes, of one account or of all',
      args: [optional('NAME', 'Username of a member, or NAME@HOST')],
      calls: ['GET /api/fieldfare/v1/admin/accounts/lookup', 'GET /api/fieldfare/v1/admin/strikes'],
      result: z.object({ strikes: z.array(Strike) }),
      run: async ({ input: { name }, instance }) => {
        const target = name === undefined ? {} : { target_account_id: (await findAccount(instance, name)).id }
        return { strikes: await instance.admin('GET', 'strikes', { limit: 80, ...target }) }
      },
      lines: ({ strikes }) => (strikes.length === 0 ? ['There are no strikes.'] : strikes.map(lineOf)),
    },
    {
      name: 'show',
      summary: 'The posts that a strike is about, as they were',
      args: [arg('ID', 'Id of the strike', id)],
      route: 'GET /api/fieldfare/v1/admin/strikes/:id/evidence',
      result: z.object({ evidence: z.array(Evidence) }),
      key: 'evidence',
      lines: ({ evidence }) =>
        evidence.length === 0
          ? ['The strike is about no post.']
          : evidence.map((one) =>
              [one.created_at.slice(0, 16), one.status_id, one.deleted ? 'deleted' : '', plain(one.content)]
                .filter((text) => text !== '')
                .join('  '),
            ),
    },
  ],
})

function lineOf(one) {
  const over = one.overruled_at === null ? '' : 'overruled'
  return [one.created_at.slice(0, 16), one.id, one.target_acct, one.action, over, plain(one.text)]
    .filter((text) => text !== '')
    .join('  ')
}
