import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { applications } from '../db/schema'
import { Changes, commit } from '../domain/core/changes'
import { readSettings } from '../domain/instance/read-settings'
import { ruleLimits, saveRules } from '../domain/instance/save-rules'
import { saveSettingsWithThumbnail } from '../domain/media/instance-thumbnail'
import { operator } from '../domain/policy/moderators'
import { admitAnonymous } from '../domain/sessions/flood'
import { addAccessToken } from '../domain/sessions/issue-token'
import { findMemberByUsername } from '../domain/users/find'
import { createMember, createOwner } from '../domain/users/provision'
import { addUserToken } from '../domain/users/user-tokens'
import { NotFound, Unauthorized } from '../errors'
import { passwordResetUrl } from '../lib/addresses'
import type { AccountId } from '../lib/ids'
import { sameText } from '../lib/secrets'
import type { AppEnv } from '../platform/app-env'
import { type AppContext, clientIp } from '../platform/app-env'
import type { Ctx } from '../platform/ports'
import { announcementRoutes } from './announcements'
import { auditLogRoutes } from './audit-log'
import { blocklistRoutes } from './blocklists'
import { blockRoutes } from './blocks'
import { domainRoutes } from './domains'
import { emojiRoutes } from './emojis'
import { readInput } from './input'
import { inviteRoutes } from './invites'
import { keyRoutes } from './keys'
import { memberRoutes } from './members'
import { relayRoutes } from './relays'
import { reportRoutes } from './reports'
import { roleRoutes } from './roles'
import { ruleRoutes } from './rules'
import { termsRoutes } from './terms'
import { trendRoutes } from './trends'
import { warningRoutes } from './warnings'
import { webhookRoutes } from './webhooks'

const Owner = z.object({ username: z.string(), email: z.email().optional() })
const Member = z.object({
  username: z.string(),
  display_name: z.string().max(100).optional(),
  email: z.email().optional(),
})
const Named = z.object({ username: z.string() })
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

/** Routes for scripts that set up, demonstrate and measure an instance. Without a set-up token they do not exist. */
export function operatorRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use('/setup/*', async (c, next) => {
    await requireSetupToken(c)
    await next()
    c.res.headers.set('Cache-Control', 'no-store')
  })
  app.route('/', auditLogRoutes())
  app.route('/', inviteRoutes())
  app.route('/', memberRoutes())
  app.route('/', roleRoutes())
  app.route('/', ruleRoutes())
  app.route('/', termsRoutes())
  app.route('/', warningRoutes())
  app.route('/', keyRoutes())
  app.route('/', blocklistRoutes())
  app.route('/', blockRoutes())
  app.route('/', domainRoutes())
  app.route('/', emojiRoutes())
  app.route('/', announcementRoutes())
  app.route('/', relayRoutes())
  app.route('/', reportRoutes())
  app.route('/', trendRoutes())
  app.route('/', webhookRoutes())
  app.post('/setup/owner', async (c) => {
    const { username, password } = await createOwner(c.get('ctx'), await readInput(c, Owner))
    return c.json({ username, password })
  })
  app.post('/setup/account', async (c) => {
    const ctx = c.get('ctx')
    const { username, display_name: displayName, email } = await readInput(c, Member)
    // A script that runs again continues with the same account.
    const existing = await execute(ctx.db, findMemberByUsername(ctx, username))
    const { accountId } = existing ?? (await createMember(ctx, { username, displayName, email }))
    return c.json({ id: String(accountId), token: await scriptToken(ctx, accountId) })
  })
  app.put('/setup/settings', async (c) => {
    const ctx = c.get('ctx')
    const { rules, thumbnail, ...patch } = await readInput(c, Settings)
    // Settings that would be refused must not leave the rules replaced.
    readSettings(patch)
    if (rules !== undefined) await saveRules(ctx, operator, rules)
    await saveSettingsWithThumbnail(ctx, operator, { patch, thumbnail })
    return c.json({})
  })
  app.post('/setup/reset-link', async (c) => {
    const ctx = c.get('ctx')
    const { username } = await readInput(c, Named)
    const member = await execute(ctx.db, findMemberByUsername(ctx, username))
    if (member === null) throw new NotFound()
    const changes = new Changes()
    const order = { accountId: member.accountId, purpose: 'reset', email: null } as const
    const token = await addUserToken(ctx, changes, order)
    await commit(ctx, changes)
    return c.json({ url: passwordResetUrl(ctx.config.origin, token) })
  })
  return app
}

async function requireSetupToken(c: AppContext): Promise<void> {
  const ctx = c.get('ctx')
  const { setupToken } = ctx.config
  if (setupToken === null) throw new NotFound('The page you are looking for is not here')
  if (sameText(c.req.header('authorization') ?? '', `Bearer ${setupToken}`)) return
  await admitAnonymous(ctx, clientIp(c))
  throw new Unauthorized('The set-up token is wrong')
}

const scriptScopes = ['read', 'write', 'follow', 'push']

/** A token under the scripts' own application, created on first need. */
async function scriptToken(ctx: Ctx, accountId: AccountId): Promise<string> {
  const applicationId = 1
  const changes = new Changes().add(
    ctx.db
      .insert(applications)
      .values({
        id: applicationId,
        clientId: 'fieldfare-scripts',
        name: 'Fieldfare scripts',
        redirectUris: [],
        // Matches no secret: the application cannot authenticate.
        clientSecretHash: 'none',
        scopes: scriptScopes.join(' '),
        createdAt: ctx.clock.now(),
      })
      .onConflictDoUpdate({ target: applications.id, set: { name: sql`name` } }),
  )
  const { accessToken } = await addAccessToken(ctx, changes, {
    applicationId,
    accountId,
    scopes: scriptScopes,
  })
  await commit(ctx, changes)
  return accessToken
}
