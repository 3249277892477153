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
      route: 'GET /api/fieldfare/v1/admin/relays',
      result: z.object({ relays: z.array(Relay) }),
      key: 'relays',
      pages: 100,
      lines: ({ relays }) => (relays.length === 0 ? ['There are no relays.'] : relays.map(lineOf)),
    },
    {
      name: 'add',
      summary: 'Subscribes to a relay',
      args: [arg('ADDRESS', 'Inbox of the relay, as https://relay.example/inbox')],
      route: 'POST /api/fieldfare/v1/admin/relays',
      result: Relay,
      body: (input) => ({ inbox_url: input.address }),
      lines: (relay) => [lineOf(relay)],
    },
    ...[
      ['enable', 'Subscribes again, where a relay is idle, rejected or has not answered'],
      ['disable', 'Ends a subscription'],
    ].map(([name, summary]) => ({
      name,
      summary,
      args: byId,
      route: `POST /api/fieldfare/v1/admin/relays/:id/${name}`,
      result: Relay,
      lines: (relay) => [lineOf(relay)],
    })),
    {
      name: 'remove',
      summary: 'Ends a subscription and removes the relay',
      args: byId,
      route: 'DELETE /api/fieldfare/v1/admin/relays/:id',
      result: Done,
      destroys: (input) => `end the subscription to relay ${input.id} and remove it`,
      lines: (_result, input) => [`Removed relay ${input.id}.`],
    },
  ],
})
