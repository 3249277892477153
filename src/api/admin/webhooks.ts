import * as z from 'zod'
import {
  Alerts,
  AlertsSecret,
  SentAlerts,
  Webhook,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from '../../contract/entities/admin/webhook'
import { Id, OptionalTextList } from '../../contract/scalars'
import { both } from '../../db/query'
import { translateFor } from '../../domain/core/translate'
import { sentenceOf } from '../../domain/webhooks/alerts/causes'
import { alertsSecret, findAlerts, sendTestAlert } from '../../domain/webhooks/alerts/check'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  updateWebhook,
  webhookOrNotFound,
} from '../../domain/webhooks/change'
import { findDeliveries, findWebhook, findWebhooks } from '../../domain/webhooks/find'
import { testWebhook } from '../../domain/webhooks/post'
import { NotFound } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { presentWebhook, presentWebhookDelivery } from '../../view/present/admin-maintenance'
import { showFound } from '../api-response'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const ById = z.object({ id: Id })
const Patch = ById.extend({
  url: z.string().max(4_096).optional(),
  events: OptionalTextList,
  template: z.string().nullish(),
})
const path = '/api/fieldfare/v1/admin/webhooks'
const reading = staff('admin:read', 'manageWebhooks')
const writing = staff('admin:write', 'manageWebhooks')

const changing = updateEndpoints({
  path: `${path}/:id`,
  summary: 'Changes the address, the events or the template of a webhook',
  auth: staff('admin:write', 'manageWebhooks'),
  input: Patch,
  output: Webhook,
  run: async (ctx, { input, viewer }) => {
    const { id, url, events, template } = input
    await updateWebhook(ctx, viewer, id, {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(template === undefined ? {} : { template: template ?? '' }),
    })
    return presentById(ctx, id)
  },
})

const switching = (
  [
    ['enable', true],
    ['disable', false],
  ] as const
).map(([verb, enabled]) =>
  endpoint({
    path: `${path}/:id/${verb}`,
    summary: enabled ? 'Delivers events to a webhook again' : 'Delivers no events to a webhook any more',
    auth: writing,
    input: ById,
    output: Webhook,
    run: async (ctx, { input, viewer }) => {
      await setWebhookEnabled(ctx, viewer, input.id, enabled)
      return presentById(ctx, input.id)
    },
  }),
)

export const adminWebhooks = [
  readEndpoint({
    path,
    summary: 'Every webhook, newest first',
    auth: reading,
    output: z.array(Webhook),
    read: (ctx) => findWebhooks(ctx),
    show: (_ctx, { found }) => found.map(presentWebhook),
  }),
  endpoint({
    path,
    summary: 'Creates a webhook; the secret is shown this once',
    auth: writing,
    input: z.object({
      url: z.string().max(4_096),
      events: OptionalTextList,
      template: z.string().nullish(),
    }),
    output: WebhookWithSecret,
    run: async (ctx, { input, viewer }) => {
      const { url, events = [], template } = input
      const order = { url, events, template: template ?? '' }
      const { id, secret } = await createWebhook(ctx, viewer, order)
      return { ...(await presentById(ctx, id)), secret }
    },
  }),
  readEndpoint({
    path: `${path}/:id`,
    summary: 'One webhook',
    auth: reading,
    input: ById,
    output: Webhook,
    read: (ctx, { input }) => findWebhook(ctx, input.id),
    show: showFound(presentWebhook),
  }),
  ...changing,
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Deletes a webhook with its log',
    auth: writing,
    input: ById,
    run: (ctx, { input, viewer }) => deleteWebhook(ctx, viewer, input.id),
  }),
  ...switching,
  endpoint({
    path: `${path}/:id/rotate_secret`,
    summary: 'Gives a webhook a new secret, shown this once',
    auth: writing,
    input: ById,
    output: WebhookWithSecret,
    run: async (ctx, { input, viewer }) => {
      const secret = await rotateWebhookSecret(ctx, viewer, input.id)
      return { ...(await presentById(ctx, input.id)), secret }
    },
  }),
  endpoint({
    path: `${path}/:id/test`,
    summary: 'Sends a signed event `webhook.test` at once, and says how the address answered',
    auth: writing,
    input: ById,
    output: WebhookTest,
    run: async (ctx, { input }) => {
      const webhook = await webhookOrNotFound(ctx, input.id)
      const { httpStatus, error, durationMs } = await testWebhook(ctx, webhook)
      return { delivered: error === null, http_status: httpStatus, error, duration_ms: durationMs }
    },
  }),
  readEndpoint({
    path: `${path}/:id/deliveries`,
    summary: 'Log of the deliveries to a webhook, newest first; the last 200 are kept',
    auth: reading,
    input: ById.extend(paging(40, 100)),
    output: z.array(WebhookDelivery),
    read: (ctx, { input }) => both(findWebhook(ctx, input.id), findDeliveries(ctx, input.id, pageOf(input))),
    show: (_ctx, { found: [webhook, deliveries], request, input }) => {
      if (webhook === null) throw new NotFound()
      return page(deliveries.map(presentWebhookDelivery), request, {
        cursors: deliveries.map(({ id }) => id),
        limit: input.limit,
      })
    },
  }),
]

async function presentById(ctx: Ctx, id: number) {
  return presentWebhook(await webhookOrNotFound(ctx, id))
}

const alertsPath = '/api/fieldfare/v1/admin/alerts'

export const adminAlerts = [
  readEndpoint({
    path: alertsPath,
    summary: 'What fails, and what failed and is over: one entry for each cause',
    auth: staff('admin:read', 'viewDevops'),
    output: Alerts,
    read: findAlerts,
    show: async (ctx, { found }) => {
      const t = await translateFor(ctx, 'en')
      return {
        alerts: found.map((alert) => ({
          cause: alert.cause,
          figure: alert.figure,
          text: sentenceOf(t, alert),
          since: alert.since.toISOString(),
          notified_at: alert.notifiedAt.toISOString(),
          resolved_at: alert.resolvedAt?.toISOString() ?? null,
        })),
      }
    },
  }),
  endpoint({
    path: `${alertsPath}/test`,
    summary: 'Sends a test to the webhook of alerts, and by mail to the owners, where the settings say so',
    auth: staff('admin:write', 'viewDevops'),
    output: SentAlerts,
    run: async (ctx) => {
      const { count, lacksMail } = await sendTestAlert(ctx)
      return { count, lacks_mail: lacksMail }
    },
  }),
  endpoint({
    method: 'GET',
    path: `${alertsPath}/secret`,
    summary: 'Secret that requests to the webhook of alerts are signed with',
    auth: staff('admin:read', 'manageWebhooks'),
    output: AlertsSecret,
    run: async (ctx) => ({ secret: await alertsSecret(ctx) }),
  }),
]
