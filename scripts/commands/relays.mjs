import * as z from 'zod'
import { arg, Done, declareGroup, id } from '../lib/command-line/declare.mjs'

const Relay = z.object({ id: z.string(), state: z.string(), inbox_url: z.string() })
const byId = [arg('ID', 'Id of the relay', id)]
const lineOf = (relay) => [relay.id, relay.state, relay.inbox_url].join('  ')

export const group = declareGroup({
  name: 'relays',
  summary: 'Relays: servers that pass public posts on',
  commands: [
    {
      name: 'list',
      summary: 'Relays with their ids and states: idle, pending, accepted, rejected',
      calls: ['GET /api/fieldfare/v1/admin/relays'],
      result: z.object({ relays: z.array(Relay) }),
      run: async ({ instance }) => ({
        relays: await instance.every('/api/fieldfare/v1/admin/relays', { limit: 100 }),
      }),
      lines: ({ relays }) => (relays.length === 0 ? ['There are no relays.'] : relays.map(lineOf)),
    },
    {
      name: 'add',
      summary: 'Subscribes to a relay',
      args: [arg('ADDRESS', 'Inbox of the relay, as https://relay.example/inbox')],
      calls: ['POST /api/fieldfare/v1/admin/relays'],
      result: Relay,
      run: ({ input, instance }) => instance.admin('POST', 'relays', { inbox_url: input.address }),
      lines: (relay) => [lineOf(relay)],
    },
    ...[
      ['enable', 'Subscribes again, where a relay is idle, rejected or has not answered'],
      ['disable', 'Ends a subscription'],
    ].map(([name, summary]) => ({
      name,
      summary,
      args: byId,
      calls: [`POST /api/fieldfare/v1/admin/relays/:id/${name}`],
      result: Relay,
      run: ({ input, instance }) => instance.admin('POST', `relays/${input.id}/${name}`),
      lines: (relay) => [lineOf(relay)],
    })),
    {
      name: 'remove',
      summary: 'Ends a subscription and removes the relay',
      args: byId,
      calls: ['DELETE /api/fieldfare/v1/admin/relays/:id'],
      result: Done,
      destroys: (input) => `end the subscription to relay ${input.id} and remove it`,
      run: ({ input, instance }) => instance.admin('DELETE', `relays/${input.id}`),
      lines: (_result, input) => [`Removed relay ${input.id}.`],
    },
  ],
})
