import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { Changes, commit } from '../domain/core/changes'
import { addOwnToken, createTokenFor } from '../domain/sessions/administer-tokens'
import { allScopes } from '../domain/sessions/scopes'
import { findMemberByUsername } from '../domain/users/find'
import { createMember, createOwner } from '../domain/users/provision'
import { NotFound } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { authenticate, requireSetupToken } from './authenticate'
import { backupRoutes } from './backups'
import type { OperatorEnv } from './env'
import { readInput } from './input'
import { keyRoutes } from './keys'
import { secretRoutes } from './secrets'

const Owner = z.object({ username: z.string(), email: z.email().optional() })
const Member = z.object({
  username: z.string(),
  display_name: z.string().max(100).optional(),
  email: z.email().optional(),
})
const Named = z.object({ username: z.string() })
const Token = Named.extend({ scopes: z.array(z.enum(allScopes)).min(1) })

/**
 * Routes of the command line, for the operator by the set-up token and for owners by an access token. Those that make
 * accounts and tokens take the set-up token alone.
 */
export function operatorRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.use('/setup/*', async (c, next) => {
    c.set('moderator', await authenticate(c))
    await next()
    c.res.headers.set('Cache-Control', 'no-store')
  })
  app.route('/', keyRoutes())
  app.route('/', secretRoutes())
  app.route('/', backupRoutes())
  app.post('/setup/owner', requireSetupToken, async (c) => {
    const { username, password } = await createOwner(c.get('ctx'), await readInput(c, Owner))
    return c.json({ username, password })
  })
  app.post('/setup/account', requireSetupToken, async (c) => {
    const ctx = c.get('ctx')
    const { username, display_name: displayName, email } = await readInput(c, Member)
    // A script that runs again continues with the same account.
    const existing = await execute(ctx.db, findMemberByUsername(ctx, username))
    const accountId = existing?.accountId ?? (await createMember(ctx, { username, displayName, email }))
    return c.json({ id: String(accountId), token: await scriptToken(ctx, accountId) })
  })
  app.post('/setup/tokens/create', requireSetupToken, async (c) => {
    const ctx = c.get('ctx')
    const { username, scopes } = await readInput(c, Token)
    const member = await execute(ctx.db, findMemberByUsername(ctx, username))
    if (member === null) throw new NotFound()
    const order = { accountId: member.accountId, username: member.username, scopes }
    const { id, accessToken } = await createTokenFor(ctx, c.get('moderator'), order)
    return c.json({ id: String(id), token: accessToken })
  })
  return app
}

const scriptScopes = ['read', 'write', 'follow', 'push']

async function scriptToken(ctx: Ctx, accountId: AccountId): Promise<string> {
  const changes = new Changes()
  const { accessToken } = await addOwnToken(ctx, changes, { accountId, scopes: scriptScopes })
  await commit(ctx, changes)
  return accessToken
}
