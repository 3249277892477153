import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { isResealed, renewLostKeys, resealPart, restartResealing } from '../domain/secrets/reseal'
import { loadSecretsStatus, revokeDerivedTokens } from '../domain/secrets/status'
import { requireSetupToken } from './authenticate'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Reseal = z.object({ restart: z.boolean().default(false) })
const Renew = z.object({ after: z.int().nullable().default(null) })

/** State and renewal of what depends on the instance secret, in small parts. Mounted behind the set-up token. */
export function secretRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/secrets/status', async (c) => {
    const ctx = c.get('ctx')
    const status = await execute(ctx.db, loadSecretsStatus(ctx))
    return c.json({
      versions: status.versions,
      complete: status.isComplete,
      unopenable: status.unopenable,
      stores: status.stores,
      derived_tokens: status.derivedTokens,
    })
  })
  app.post('/setup/secrets/reseal', async (c) => {
    const ctx = c.get('ctx')
    const { restart } = await readInput(c, Reseal)
    if (restart) await restartResealing(ctx)
    const state = await resealPart(ctx)
    return c.json({ complete: isResealed(ctx.config.secrets, state), unopenable: state.unopenable })
  })
  app.post('/setup/secrets/renew-lost', requireSetupToken, async (c) => {
    const ctx = c.get('ctx')
    const { after } = await readInput(c, Renew)
    return c.json({ after: await renewLostKeys(ctx, after) })
  })
  app.post('/setup/secrets/revoke-derived', requireSetupToken, async (c) =>
    c.json({ left: await revokeDerivedTokens(c.get('ctx')) }),
  )
  return app
}
