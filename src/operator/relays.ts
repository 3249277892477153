import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { createRelay, deleteRelay, disableRelay, enableRelay } from '../domain/instance/relays/change'
import { findRelays, mostRelays } from '../domain/instance/relays/find'
import { presentRelay } from '../view/present/admin-maintenance'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ id: Id })

/** Relay routes for operators without a panel. Mounted behind the set-up token. */
export function relayRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/relays/list', async (c) => {
    const ctx = c.get('ctx')
    const all = await execute(ctx.db, findRelays(ctx, { limit: mostRelays }))
    return c.json({ relays: all.map(presentRelay) })
  })
  app.post('/setup/relays/add', async (c) => {
    const { inbox_url: address } = await readInput(c, z.object({ inbox_url: z.string() }))
    return c.json(presentRelay(await createRelay(c.get('ctx'), c.get('moderator'), address)))
  })
  for (const [verb, run] of [
    ['enable', enableRelay],
    ['disable', disableRelay],
  ] as const)
    app.post(`/setup/relays/${verb}`, async (c) => {
      const { id } = await readInput(c, Named)
      return c.json(presentRelay(await run(c.get('ctx'), c.get('moderator'), id)))
    })
  app.post('/setup/relays/remove', async (c) => {
    const { id } = await readInput(c, Named)
    await deleteRelay(c.get('ctx'), c.get('moderator'), id)
    return c.json({})
  })
  return app
}
