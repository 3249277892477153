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
      calls: ['POST /setup/relays/list'],
      result: z.object({ relays: z.array(Relay) }),
      run: ({ instance }) => instance.setup('relays/list'),
      lines: ({ relays }) => (relays.length === 0 ? ['There are no relays.'] : relays.map(lineOf)),
    },
    {
      name: 'add',
      summary: 'Subscribes to a relay',
      args: [arg('ADDRESS', 'Inbox of the relay, as https://relay.example/inbox')],
      calls: ['POST /setup/relays/add'],
      result: Relay,
      run: ({ input, instance }) => instance.setup('relays/add', { inbox_url: input.address }),
      lines: (relay) => [lineOf(relay)],
    },
    ...[
      ['enable', 'Subscribes again, where a relay is idle, rejected or has not answered'],
      ['disable', 'Ends a subscription'],
    ].map(([name, summary]) => ({
      name,
      summary,
      args: byId,
      calls: [`POST /setup/relays/${name}`],
      result: Relay,
      run: ({ input, instance }) => instance.setup(`relays/${name}`, input),
      lines: (relay) => [lineOf(relay)],
    })),
    {
      name: 'remove',
      summary: 'Ends a subscription and removes the relay',
      args: byId,
      calls: ['POST /setup/relays/remove'],
      result: Done,
      destroys: (input) => `end the subscription to relay ${input.id} and remove it`,
      run: ({ input, instance }) => instance.setup('relays/remove', { id: input.id }),
      lines: (_result, input) => [`Removed relay ${input.id}.`],
    },
  ],
})
