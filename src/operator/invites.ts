import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { expireAllInvites, expireInvite, findInvites } from '../domain/users/expire-invites'
import { presentAdminInvite } from '../view/present/admin-sign-up'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const pageLength = 100
const List = z.object({ before: Id.nullable().default(null) })
const Named = z.object({ id: Id })

/** Routes about invitations for operators without a panel. Mounted behind the set-up token. */
export function inviteRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/invites/list', async (c) => {
    const ctx = c.get('ctx')
    const { before } = await readInput(c, List)
    const found = await execute(ctx.db, findInvites(ctx, { limit: pageLength, maxId: before ?? undefined }))
    const last = found.length < pageLength ? undefined : found.at(-1)
    return c.json({
      invites: found.map((invite) => presentAdminInvite(ctx.config, invite)),
      next: last === undefined ? null : String(last.id),
    })
  })
  app.post('/setup/invites/expire', async (c) => {
    await expireInvite(c.get('ctx'), c.get('moderator'), (await readInput(c, Named)).id)
    return c.json({})
  })
  app.post('/setup/invites/expire-all', async (c) =>
    c.json({ expired: await expireAllInvites(c.get('ctx'), c.get('moderator')) }),
  )
  return app
}
