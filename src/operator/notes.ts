import { Hono } from 'hono'
import * as z from 'zod'
import { both, execute } from '../db/query'
import { loadRules } from '../domain/instance/rules'
import { findHistory } from '../domain/moderation/find-history'
import { idOfHandle } from '../domain/moderation/find-target'
import { addNote } from '../domain/moderation/notes'
import { NotFound } from '../errors'
import { presentHistoryEntry } from '../view/present/admin-account'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const pageLength = 40

const AboutReport = z.object({ id: z.coerce.number().int(), text: z.string() })
const AboutAccount = z.object({ username: z.string(), text: z.string() })
const History = z.object({
  username: z.string(),
  before: z.coerce.number().int().nullable().default(null),
})

/** Routes for notes of moderators and the history of accounts, for operators without a panel. */
export function noteRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/reports/note', async (c) => {
    const { id, text } = await readInput(c, AboutReport)
    await addNote(c.get('ctx'), c.get('moderator'), { type: 'report', id }, text)
    return c.json({})
  })
  app.post('/setup/members/note', async (c) => {
    const ctx = c.get('ctx')
    const { username, text } = await readInput(c, AboutAccount)
    const id = await idOfHandle(ctx, username)
    await addNote(ctx, c.get('moderator'), { type: 'account', id }, text)
    return c.json({})
  })
  app.post('/setup/members/history', async (c) => {
    const ctx = c.get('ctx')
    const { username, before } = await readInput(c, History)
    const page = { limit: pageLength, maxId: before ?? undefined }
    const accountId = await idOfHandle(ctx, username)
    const [entries, rules] = await execute(ctx.db, both(findHistory(ctx, accountId, page), loadRules(ctx)))
    if (entries === null) throw new NotFound()
    return c.json({
      entries: entries.map((entry) => presentHistoryEntry(entry, rules)),
      next: entries.length < pageLength ? null : (entries.at(-1)?.id ?? null),
    })
  })
  return app
}
