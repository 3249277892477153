import * as z from 'zod'
import { arg, Done, declareGroup, id } from '../lib/command-line/declare.mjs'

const Invite = z.object({
  id: z.string(),
  username: z.string(),
  state: z.string(),
  uses: z.int(),
  max_uses: z.int().nullable(),
  expires_at: z.string().nullable(),
  url: z.string(),
})

export const group = declareGroup({
  name: 'invites',
  summary: 'Invitations of all members',
  commands: [
    {
      name: 'list',
      summary: 'Invitations of all members with ids, newest first',
      route: 'GET /api/fieldfare/v1/admin/invites',
      result: z.object({ invites: z.array(Invite) }),
      key: 'invites',
      pages: 100,
      lines: ({ invites }) => (invites.length === 0 ? ['Nobody was invited yet.'] : invites.map(lineOf)),
    },
    {
      name: 'expire',
      summary: 'Ends an invitation: nobody signs up with it any more; who did stays',
      args: [arg('ID', 'Id of the invitation', id)],
      route: 'POST /api/fieldfare/v1/admin/invites/:id/expire',
      result: Done,
      destroys: (input) => `end the invitation ${input.id} for good`,
      lines: (_result, input) => [`${input.id} is expired.`],
    },
    {
      name: 'expire-all',
      summary: 'Ends every invitation',
      route: 'POST /api/fieldfare/v1/admin/invites/expire_all',
      result: z.object({ expired: z.int() }),
      destroys: () => 'end every invitation',
      lines: ({ expired }) => [`${expired} expired.`],
    },
  ],
})

function lineOf({ id: name, username, state, uses, max_uses: most, expires_at: until, url }) {
  return [name, username, state, `${uses} of ${most ?? 'any'}`, until ?? 'no end', url].join('  ')
}
