import * as z from 'zod'
import { declareGroup } from '../lib/command-line/declare.mjs'

export const group = declareGroup({
  name: 'counters',
  summary: 'Counters of posts, follows and members',
  commands: [
    {
      name: 'rebuild',
      summary:
        'Counts posts and follows of each member anew, then members, posts and servers of the instance',
      calls: ['POST /api/fieldfare/v1/admin/counters/rebuild'],
      result: z.object({ members: z.int() }),
      run: async ({ instance, progress }) => {
        let members = 0
        let after = null
        do {
          const order = after === null ? {} : { after }
          const part = await instance.admin('POST', 'counters/rebuild', order)
          members += part.members
          after = part.next
          progress(members, after === null ? members : null, 'Members')
        } while (after !== null)
        return { members }
      },
      lines: ({ members }) => [`The counters of ${members} members and of the instance are right.`],
    },
  ],
})
