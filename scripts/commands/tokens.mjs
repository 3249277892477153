import * as z from 'zod'
import { arg, commas, Done, declareGroup, id, option } from '../lib/command-line/declare.mjs'
import { findAccount } from '../lib/command-line/find-by-name.mjs'

const Token = z.object({
  id: z.string(),
  application: z.string(),
  scopes: z.array(z.string()),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
const name = arg('NAME', 'Username of a member')

export const group = declareGroup({
  name: 'tokens',
  summary: 'Access tokens of members',
  notes: [
    'A token of an owner with the scopes admin:read and admin:write lets commands act on a deployed instance without its',
    'set-up token: make one while you have that, and keep it in FIELDFARE_TOKEN.',
  ],
  commands: [
    {
      name: 'list',
      summary: 'The newest 100 tokens of a member with their applications, without the tokens themselves',
      args: [name],
      calls: [
        'GET /api/fieldfare/v1/admin/accounts/lookup',
        'GET /api/fieldfare/v1/admin/accounts/:id/tokens',
      ],
      result: z.object({ tokens: z.array(Token) }),
      run: async ({ input, instance }) => {
        const account = await findAccount(instance, input.name)
        return { tokens: await instance.admin('GET', `accounts/${account.id}/tokens`) }
      },
      lines: ({ tokens }, input) =>
        tokens.length === 0 ? [`${input.name} has no tokens.`] : tokens.map(lineOf),
    },
    {
      name: 'create',
      summary: 'Makes a token of a member, and prints it once; needs the set-up token',
      args: [name],
      options: { scopes: option('LIST', 'Scopes with commas (admin:read,admin:write)', commas) },
      calls: ['POST /setup/tokens/create'],
      result: z.object({ id: z.string(), token: z.string() }),
      run: ({ input: { name: username, scopes = ['admin:read', 'admin:write'] }, instance }) =>
        instance.setup('tokens/create', { username, scopes }),
      lines: ({ id: made, token }) => [`Token ${made}, shown this once:\n\n  ${token}`],
    },
    {
      name: 'revoke',
      summary: 'Ends a token of a member: its application has to be allowed anew',
      args: [name, arg('ID', 'Id of the token', id)],
      calls: [
        'GET /api/fieldfare/v1/admin/accounts/lookup',
        'DELETE /api/fieldfare/v1/admin/accounts/:id/tokens/:token_id',
      ],
      result: Done,
      destroys: (input) => `end the token ${input.id} of ${input.name}`,
      run: async ({ input, instance }) => {
        const account = await findAccount(instance, input.name)
        return instance.admin('DELETE', `accounts/${account.id}/tokens/${input.id}`)
      },
      lines: (_result, input) => [`The token ${input.id} of ${input.name} works no more.`],
    },
  ],
})

function lineOf({ id: made, application, scopes, created_at: created, last_used_at: used }) {
  const use = used === null ? 'never used' : `used ${used.slice(0, 10)}`
  return [made, application, scopes.join(' '), `made ${created.slice(0, 10)}`, use].join('  ')
}
