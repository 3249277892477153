import { Hono } from 'hono'
import * as z from 'zod'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import { operator } from '../domain/policy/moderators'
import { expireAllInvites, expireInvite, findInvites } from '../domain/users/expire-invites'
import type { AppEnv } from '../platform/app-env'
import { presentAdminInvite } from '../view/present/admin-invite'
import { readInput } from './input'

const pageLength = 100
const List = z.object({ before: Id.nullable().default(null) })
const Named = z.object({ id: Id })

/** Routes about invitations for operators without a panel. Mounted behind the set-up token. */
export function inviteRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
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
    await expireInvite(c.get('ctx'), operator, (await readInput(c, Named)).id)
    return c.json({})
  })
  app.post('/setup/invites/expire-all', async (c) =>
    c.json({ expired: await expireAllInvites(c.get('ctx'), operator) }),
  )
  return app
}
