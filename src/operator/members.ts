import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { operator } from '../domain/policy/moderators'
import { disableTwoFactor, setSkipSignInToken } from '../domain/sign-in/by-moderator'
import { findMemberByUsername } from '../domain/users/find'
import {
  approveMember,
  disableMember,
  enableMember,
  listMembers,
  membersPerPage,
  rejectMember,
  setRole,
  warnMember,
} from '../domain/users/members'
import { NotFound } from '../errors'
import type { AccountId } from '../lib/ids'
import type { AppEnv } from '../platform/app-env'
import type { Ctx } from '../platform/ports'
import { readInput } from './input'

const Named = z.object({ username: z.string() })
const maxWarning = 10_000
const Disabled = Named.extend({ text: z.string().trim().max(maxWarning).default('') })
const Warned = Named.extend({ text: z.string().trim().min(1).max(maxWarning) })
const Skipping = Named.extend({ skip: z.boolean() })
const WithRole = Named.extend({ role: z.string().nullable() })
const MembersQuery = z.object({
  only_waiting: z.boolean().default(false),
  before: z.coerce.number().int().nullable().default(null),
})

/** Member moderation routes for operators without a panel. Mounted behind the set-up token. */
export function memberRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.post('/setup/members/list', async (c) => {
    const ctx = c.get('ctx')
    const { only_waiting: onlyWaiting, before } = await readInput(c, MembersQuery)
    const list = await execute(ctx.db, listMembers(ctx, { onlyWaiting, before }))
    const last = list.length < membersPerPage ? undefined : list.at(-1)
    return c.json({
      members: list.map(({ createdAt, id: _id, ...member }) => ({ ...member, created_at: createdAt })),
      next: last?.id ?? null,
    })
  })
  app.post('/setup/members/approve', deciding(approveMember))
  app.post('/setup/members/reject', deciding(rejectMember))
  app.post('/setup/members/disable', async (c) => {
    const { username, text } = await readInput(c, Disabled)
    await disableMember(c.get('ctx'), username, text)
    return c.json({})
  })
  app.post('/setup/members/enable', deciding(enableMember))
  app.post('/setup/members/warn', async (c) => {
    const { username, text } = await readInput(c, Warned)
    await warnMember(c.get('ctx'), username, text)
    return c.json({})
  })
  app.post('/setup/members/disable-2fa', async (c) => {
    const ctx = c.get('ctx')
    const { username } = await readInput(c, Named)
    await disableTwoFactor(ctx, operator, await idOfMember(ctx, username))
    return c.json({})
  })
  app.post('/setup/members/skip-sign-in-token', async (c) => {
    const { username, skip } = await readInput(c, Skipping)
    const ctx = c.get('ctx')
    await setSkipSignInToken(ctx, operator, await idOfMember(ctx, username), skip)
    return c.json({})
  })
  app.post('/setup/members/role', async (c) => {
    const { username, role } = await readInput(c, WithRole)
    await setRole(c.get('ctx'), username, role)
    return c.json({})
  })
  return app
}

async function idOfMember(ctx: Ctx, username: string): Promise<AccountId> {
  const member = await execute(ctx.db, findMemberByUsername(ctx, username.trim().replace(/^@/, '')))
  if (member === null) throw new NotFound(`Nobody here is called ${username}`)
  return member.accountId
}

function deciding(decide: (ctx: Ctx, username: string) => Promise<void>) {
  return async (c: Context<AppEnv>) => {
    const { username } = await readInput(c, Named)
    await decide(c.get('ctx'), username)
    return c.json({})
  }
}
