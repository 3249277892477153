import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { addPreset, changePreset, deletePreset, listPresets } from '../domain/moderation/warning-presets'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Added = z.object({ title: z.string(), text: z.string() })
const Named = z.object({ id: Id })
const Changed = Named.extend({ title: z.string().optional(), text: z.string().optional() })

/** Routes about texts for warnings, for operators without a panel. Mounted behind the set-up token. */
export function warningRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/warnings/list', async (c) => {
    const ctx = c.get('ctx')
    const found = await execute(ctx.db, listPresets(ctx))
    return c.json({ warnings: found.map(({ id, title, text }) => ({ id: String(id), title, text })) })
  })
  app.post('/setup/warnings/add', async (c) => {
    const { id } = await addPreset(c.get('ctx'), c.get('moderator'), await readInput(c, Added))
    return c.json({ id: String(id) })
  })
  app.post('/setup/warnings/change', async (c) => {
    const { id, title, text } = await readInput(c, Changed)
    await changePreset(c.get('ctx'), c.get('moderator'), id, { title, text })
    return c.json({})
  })
  app.post('/setup/warnings/remove', async (c) => {
    await deletePreset(c.get('ctx'), c.get('moderator'), (await readInput(c, Named)).id)
    return c.json({})
  })
  return app
}
