import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { Changes, commit } from '../domain/core/changes'
import { ruleLimits, saveRules } from '../domain/instance/rules'
import { readSettings } from '../domain/instance/save-settings'
import { saveSettingsWithThumbnail } from '../domain/media/instance-thumbnail'
import { addOwnToken, createTokenFor } from '../domain/sessions/administer-tokens'
import { allScopes } from '../domain/sessions/scopes'
import { findMemberByUsername } from '../domain/users/find'
import { createMember, createOwner } from '../domain/users/provision'
import { createResetLink } from '../domain/users/user-tokens'
import { NotFound } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { authenticate, requireSetupToken } from './authenticate'
import { backupRoutes } from './backups'
import type { OperatorEnv } from './env'
import { readInput } from './input'
import { keyRoutes } from './keys'
import { memberRoutes } from './members'
import { secretRoutes } from './secrets'

const Owner = z.object({ username: z.string(), email: z.email().optional() })
const Member = z.object({
  username: z.string(),
  display_name: z.string().max(100).optional(),
  email: z.email().optional(),
})
const Named = z.object({ username: z.string() })
const Token = Named.extend({ scopes: z.array(z.enum(allScopes)).min(1) })
const RuleText = z.string().trim().min(1, "can't be blank").max(ruleLimits.textCharacters)
const Rule = z
  .union([
    RuleText,
    z.object({ text: RuleText, hint: z.string().trim().max(ruleLimits.hintCharacters).default('') }),
  ])
  .transform((rule) => (typeof rule === 'string' ? { text: rule, hint: '' } : rule))
const Settings = z.looseObject({
  rules: z.array(Rule).max(ruleLimits.rules).optional(),
  // Picture in base64; null takes it away.
  thumbnail: z
    .base64('is no picture')
    .transform((text) => Uint8Array.fromBase64(text))
    .nullish(),
})

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
  app.route('/', memberRoutes())
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
  app.put('/setup/settings', async (c) => {
    const ctx = c.get('ctx')
    const { rules, thumbnail, ...patch } = await readInput(c, Settings)
    // Settings that would be refused must not leave the rules replaced.
    readSettings(patch)
    if (rules !== undefined) await saveRules(ctx, c.get('moderator'), rules)
    await saveSettingsWithThumbnail(ctx, c.get('moderator'), { patch, thumbnail })
    return c.json({})
  })
  app.post('/setup/reset-link', async (c) => {
    const ctx = c.get('ctx')
    const { username } = await readInput(c, Named)
    const member = await execute(ctx.db, findMemberByUsername(ctx, username))
    if (member === null) throw new NotFound()
    return c.json({ url: await createResetLink(ctx, c.get('moderator'), member.accountId) })
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
