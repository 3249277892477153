import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { loadRules } from '../domain/instance/rules'
import { createRule, deleteRule, orderRules, ruleOrNotFound, updateRule } from '../domain/instance/save-rules'
import { presentAdminRule } from '../view/present/admin-instance'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Added = z.object({ text: z.string(), hint: z.string().default('') })
const Named = z.object({ id: Id })
const Changed = Named.extend({ text: z.string().exactOptional(), hint: z.string().exactOptional() })
const Translated = Named.extend({
  language: z.string(),
  // Null removes the translation.
  words: Added.nullable(),
})
const Ordered = z.object({ ids: z.array(Id) })

/** Routes about single rules for operators without a panel. Mounted behind the set-up token. */
export function ruleRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/rules/list', async (c) => {
    const ctx = c.get('ctx')
    return c.json({ rules: (await execute(ctx.db, loadRules(ctx))).map(presentAdminRule) })
  })
  app.post('/setup/rules/add', async (c) => {
    const words = await readInput(c, Added)
    const id = await createRule(c.get('ctx'), c.get('moderator'), { ...words, translations: {} })
    return c.json({ id: String(id) })
  })
  app.post('/setup/rules/change', async (c) => {
    const { id, ...words } = await readInput(c, Changed)
    await updateRule(c.get('ctx'), c.get('moderator'), id, words)
    return c.json({})
  })
  app.post('/setup/rules/translate', async (c) => {
    const ctx = c.get('ctx')
    const { id, language, words } = await readInput(c, Translated)
    const { [language]: _replaced, ...others } = (await ruleOrNotFound(ctx, id)).translations
    const translations = words === null ? others : { ...others, [language]: words }
    await updateRule(ctx, c.get('moderator'), id, { translations })
    return c.json({})
  })
  app.post('/setup/rules/order', async (c) => {
    await orderRules(c.get('ctx'), c.get('moderator'), (await readInput(c, Ordered)).ids)
    return c.json({})
  })
  app.post('/setup/rules/remove', async (c) => {
    await deleteRule(c.get('ctx'), c.get('moderator'), (await readInput(c, Named)).id)
    return c.json({})
  })
  return app
}
