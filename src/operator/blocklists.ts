import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { findExceptions, findPendingChanges, findSubscriptions } from '../domain/moderation/blocklists/find'
import { exportLimits, importFile, previewImport } from '../domain/moderation/blocklists/import-file'
import {
  approveChanges,
  decidedAtOnce,
  previewReview,
  rejectChanges,
} from '../domain/moderation/blocklists/review'
import {
  addException,
  checkList,
  removeException,
  subscribeToList,
  unsubscribe,
} from '../domain/moderation/blocklists/subscribe'
import {
  presentBlocklist,
  presentEffects,
  presentException,
  presentImport,
  presentListedLimit,
} from '../view/present/admin-domain'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const File = z.object({ csv: z.string(), overwrite: z.boolean().default(false) })
const One = z.object({ id: z.int() })
const Decision = One.extend({
  changes: z.union([z.literal('all'), z.array(z.int()).min(1).max(decidedAtOnce)]),
})
/** Changes, exceptions and subscriptions that one call lists. */
const listed = { limit: 500 }

/** Routes for lists of limits, for operators without a panel. Mounted behind the set-up token. */
export function blocklistRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/domains/export', async (c) => c.json({ csv: await exportLimits(c.get('ctx')) }))
  app.post('/setup/domains/import/preview', async (c) => {
    const { csv } = await readInput(c, File)
    const { added, conflicts, covered, excepted, effects } = await previewImport(c.get('ctx'), csv)
    return c.json({
      added: added.map(presentListedLimit),
      conflicts: conflicts.map(({ listed: line, existing }) => ({
        ...presentListedLimit(line),
        existing: existing.severity,
      })),
      unchanged_count: covered.length,
      excepted: excepted.map(({ domain }) => domain),
      ...presentEffects(effects),
    })
  })
  app.post('/setup/domains/import', async (c) => {
    const { csv, overwrite } = await readInput(c, File)
    return c.json(presentImport(await importFile(c.get('ctx'), c.get('moderator'), csv, { overwrite })))
  })
  app.post('/setup/domains/lists', async (c) => {
    const ctx = c.get('ctx')
    const found = await execute(ctx.db, findSubscriptions(ctx, listed))
    return c.json({ lists: found.map(presentBlocklist) })
  })
  app.post('/setup/domains/subscribe', async (c) => {
    const order = await readInput(c, z.object({ url: z.string(), title: z.string().default('') }))
    return c.json(presentBlocklist(await subscribeToList(c.get('ctx'), c.get('moderator'), order)))
  })
  app.post('/setup/domains/unsubscribe', async (c) => {
    const { id, lift } = await readInput(c, One.extend({ lift: z.boolean().default(false) }))
    await unsubscribe(c.get('ctx'), c.get('moderator'), id, { lift })
    return c.json({})
  })
  app.post('/setup/domains/check', async (c) => {
    const { id } = await readInput(c, One)
    return c.json(presentBlocklist(await checkList(c.get('ctx'), c.get('moderator'), id)))
  })
  app.post('/setup/domains/changes', async (c) => {
    const ctx = c.get('ctx')
    const { id } = await readInput(c, One)
    const { added, changed, removed, effects } = await previewReview(ctx, id)
    const changes = await execute(ctx.db, findPendingChanges(ctx, id, listed))
    return c.json({
      changes: changes.map((entry) => ({
        id: String(entry.id),
        change: entry.change,
        ...presentListedLimit(entry),
      })),
      count: added + changed + removed,
      ...presentEffects(effects),
    })
  })
  for (const [what, decide] of [
    ['approve', approveChanges],
    ['reject', rejectChanges],
  ] as const)
    app.post(`/setup/domains/${what}`, async (c) => {
      const { id, changes } = await readInput(c, Decision)
      return c.json(presentBlocklist(await decide(c.get('ctx'), c.get('moderator'), id, changes)))
    })
  app.post('/setup/domains/exceptions', async (c) => {
    const ctx = c.get('ctx')
    const found = await execute(ctx.db, findExceptions(ctx, listed))
    return c.json({ exceptions: found.map(presentException) })
  })
  app.post('/setup/domains/except', async (c) => {
    const order = await readInput(c, z.object({ domain: z.string(), comment: z.string().default('') }))
    return c.json(presentException(await addException(c.get('ctx'), c.get('moderator'), order)))
  })
  app.post('/setup/domains/unexcept', async (c) => {
    const { id } = await readInput(c, One)
    await removeException(c.get('ctx'), c.get('moderator'), id)
    return c.json({})
  })
  return app
}
