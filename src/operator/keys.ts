import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { rotateKeys } from '../domain/accounts/rotate-keys'
import { findMemberByUsername } from '../domain/users/find'
import { NotFound } from '../errors'
import type { AppEnv } from '../platform/app-env'
import { readInput } from './input'

const Named = z.object({ username: z.string() })

/** New keys for an account whose old one may be compromised. Mounted behind the set-up token. */
export function keyRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/setup/rotate-keys', async (c) => {
    const ctx = c.get('ctx')
    const { username } = await readInput(c, Named)
    const member = await execute(ctx.db, findMemberByUsername(ctx, username))
    if (member === null) throw new NotFound()
    await rotateKeys(ctx, member.accountId)
    return c.json({})
  })
  return app
}
