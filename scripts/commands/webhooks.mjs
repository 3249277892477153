import * as z from 'zod'
import { arg, commas, Done, declareGroup, given, id, option, several } from '../lib/command-line/declare.mjs'

const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  failing_since: z.string().nullable(),
})
const Delivery = z.object({
  occurred_at: z.string(),
  event: z.string(),
  state: z.string(),
  attempts: z.int(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
})
const byId = [arg('ID', 'Id of the webhook', id)]

export const group = declareGroup({
  name: 'webhooks',
  summary: 'Webhooks: addresses that receive events of this server',
  commands: [
    {
      name: 'list',
      summary: 'Webhooks with their ids, states and events',
      route: 'GET /api/fieldfare/v1/admin/webhooks',
      result: z.object({ webhooks: z.array(Webhook) }),
      key: 'webhooks',
      lines: ({ webhooks }) => (webhooks.length === 0 ? ['There are no webhooks.'] : webhooks.map(lineOf)),
    },
    {
      name: 'add',
      summary: 'Adds an address, and prints its secret once',
      args: [
        arg('ADDRESS', 'Address that receives the events'),
        several(
          'EVENT',
          'account.approved, account.created, account.updated, report.created, report.updated, status.created, status.updated',
        ),
      ],
      options: { template: option('TEXT', 'Body in place of the event') },
      route: 'POST /api/fieldfare/v1/admin/webhooks',
      result: z.object({ id: z.string(), secret: z.string() }),
      body: ({ address, event, template = '' }) => ({ url: address, events: event, template }),
      lines: ({ id: name, secret }) => [`Webhook ${name}. Its secret, shown this once: ${secret}`],
    },
    {
      name: 'change',
      summary: 'Changes what is given, and nothing else',
      args: byId,
      options: {
        address: option('ADDRESS', 'Address that receives the events'),
        events: option('LIST', 'Names of events with commas, in place of those it has', commas),
        template: option('TEXT', 'Body in place of the event; blank for the event itself'),
      },
      calls: ['PUT /api/fieldfare/v1/admin/webhooks/:id'],
      result: Webhook,
      run: async ({ input: { id: name, address: url, events, template }, instance }) =>
        Webhook.parse(await instance.admin('PUT', `webhooks/${name}`, given({ url, events, template }))),
      lines: (webhook) => [lineOf(webhook)],
    },
    {
      name: 'test',
      summary: 'Sends a signed event webhook.test, and prints the answer',
      args: byId,
      route: 'POST /api/fieldfare/v1/admin/webhooks/:id/test',
      result: z.object({ http_status: z.int().nullable(), error: z.string().nullable() }),
      lines: ({ http_status: status, error }) => [
        error === null ? `Accepted with ${status}.` : `Not accepted: ${error}.`,
      ],
    },
    {
      name: 'log',
      summary: 'The last 100 deliveries',
      args: byId,
      route: 'GET /api/fieldfare/v1/admin/webhooks/:id/deliveries',
      result: z.object({ deliveries: z.array(Delivery) }),
      key: 'deliveries',
      body: () => ({ limit: 100 }),
      lines: ({ deliveries }) =>
        deliveries.length === 0 ? ['Nothing was delivered yet.'] : deliveries.map(deliveryLine),
    },
    ...[
      ['enable', 'Delivers again, and forgets earlier failures'],
      ['disable', 'Delivers nothing any more'],
    ].map(([name, summary]) => ({
      name,
      summary,
      args: byId,
      route: `POST /api/fieldfare/v1/admin/webhooks/:id/${name}`,
      result: Done,
      lines: (_result, input) => [`Done: ${name} ${input.id}.`],
    })),
    {
      name: 'rotate',
      summary: 'Gives a webhook a new secret, and prints it once',
      args: byId,
      route: 'POST /api/fieldfare/v1/admin/webhooks/:id/rotate_secret',
      result: z.object({ secret: z.string() }),
      destroys: (input) => `end the secret of webhook ${input.id}`,
      lines: ({ secret }) => [`The new secret: ${secret}`],
    },
    {
      name: 'remove',
      summary: 'Deletes a webhook with its log',
      args: byId,
      route: 'DELETE /api/fieldfare/v1/admin/webhooks/:id',
      result: Done,
      destroys: (input) => `delete webhook ${input.id} with its log`,
      lines: (_result, input) => [`Done: remove ${input.id}.`],
    },
  ],
})

function lineOf({ id: name, url, events, enabled, failing_since: failing }) {
  const works = failing === null ? 'enabled' : `failing since ${failing}`
  return [name, enabled ? works : 'disabled', url, events.join(' ')].join('  ')
}

function deliveryLine({ occurred_at: at, event, state, attempts, http_status: status, error }) {
  return [at, event, state, `attempts ${attempts}`, status ?? '-', error ?? ''].join('  ')
}
