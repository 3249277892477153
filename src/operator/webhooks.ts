import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  webhookOrNotFound,
} from '../domain/webhooks/change'
import { findDeliveries, findWebhooks } from '../domain/webhooks/find'
import { testWebhook } from '../domain/webhooks/post'
import { presentWebhook, presentWebhookDelivery } from '../view/present/admin-maintenance'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ id: Id })
const Added = z.object({
  url: z.string(),
  events: z.array(z.string()),
  template: z.string().default(''),
})

/** Webhook routes for operators without a panel. Mounted behind the set-up token. */
export function webhookRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/webhooks/list', async (c) => {
    const ctx = c.get('ctx')
    const all = await execute(ctx.db, findWebhooks(ctx))
    return c.json({ webhooks: all.map(presentWebhook) })
  })
  app.post('/setup/webhooks/add', async (c) => {
    const ctx = c.get('ctx')
    const { id, secret } = await createWebhook(ctx, c.get('moderator'), await readInput(c, Added))
    return c.json({ id: String(id), secret })
  })
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    app.post(`/setup/webhooks/${verb}`, async (c) => {
      const { id } = await readInput(c, Named)
      await setWebhookEnabled(c.get('ctx'), c.get('moderator'), id, enabled)
      return c.json({})
    })
  app.post('/setup/webhooks/rotate', async (c) => {
    const ctx = c.get('ctx')
    const { id } = await readInput(c, Named)
    return c.json({ secret: await rotateWebhookSecret(ctx, c.get('moderator'), id) })
  })
  app.post('/setup/webhooks/test', async (c) => {
    const ctx = c.get('ctx')
    const { id } = await readInput(c, Named)
    const { httpStatus, error } = await testWebhook(ctx, await webhookOrNotFound(ctx, id))
    return c.json({ http_status: httpStatus, error })
  })
  app.post('/setup/webhooks/log', async (c) => {
    const ctx = c.get('ctx')
    const { id } = await readInput(c, Named)
    await webhookOrNotFound(ctx, id)
    const found = await execute(ctx.db, findDeliveries(ctx, id, { limit: 100 }))
    return c.json({ deliveries: found.map(presentWebhookDelivery) })
  })
  app.post('/setup/webhooks/remove', async (c) => {
    const { id } = await readInput(c, Named)
    await deleteWebhook(c.get('ctx'), c.get('moderator'), id)
    return c.json({})
  })
  return app
}
