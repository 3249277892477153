import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import type { Moderator } from '../domain/core/viewer'
import { type ActionType, actOnAccount } from '../domain/moderation/act'
import { actOnStatuses, statusActionTypes } from '../domain/moderation/act-on-statuses'
import { deleteSuspendedAccount } from '../domain/moderation/delete-account'
import { idOfHandle } from '../domain/moderation/find-target'
import { approveMember, rejectMember } from '../domain/moderation/sign-ups'
import { enableAccount, removeMark, unsuspendAccount } from '../domain/moderation/undo'
import { disableTwoFactor, setSkipSignInToken } from '../domain/sign-in/by-moderator'
import { listMembers, membersPerPage } from '../domain/users/members'
import { assignRole, findRoleByName } from '../domain/users/roles'
import { Invalid } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ username: z.string() })
const Acted = Named.extend({
  text: z.string().default(''),
  send_email: z.boolean().default(true),
  block_email: z.boolean().default(true),
  report_id: z.coerce.number().int().nullable().default(null),
})
const Warned = Acted.extend({ text: z.string().trim().min(1) })
const OnStatuses = Acted.extend({ status_ids: z.array(z.coerce.number().int()).min(1) })
const Skipping = Named.extend({ skip: z.boolean() })
const WithRole = Named.extend({ role: z.string().nullable() })
const MembersQuery = z.object({
  only_waiting: z.boolean().default(false),
  before: z.coerce.number().int().nullable().default(null),
})

/** Commands by name that put an account into a state. */
const actions = {
  warn: 'none',
  disable: 'disable',
  sensitive: 'sensitive',
  silence: 'silence',
  suspend: 'suspend',
} as const satisfies Readonly<Record<string, ActionType>>

/** Commands by name that need no more than the account. */
const decisions: Readonly<Record<string, (ctx: Ctx, moderator: Moderator, id: AccountId) => Promise<void>>> =
  {
    approve: (ctx, moderator, id) => approveMember(ctx, moderator, id),
    reject: (ctx, moderator, id) => rejectMember(ctx, moderator, id),
    enable: (ctx, moderator, id) => enableAccount(ctx, moderator, id),
    unsensitive: (ctx, moderator, accountId) =>
      removeMark(ctx, moderator, { accountId, action: 'unsensitive' }),
    unsilence: (ctx, moderator, accountId) => removeMark(ctx, moderator, { accountId, action: 'unsilence' }),
    unsuspend: (ctx, moderator, id) => unsuspendAccount(ctx, moderator, id),
    delete: (ctx, moderator, id) => deleteSuspendedAccount(ctx, moderator, id),
  }

/** Member moderation routes for operators without a panel. Mounted behind the set-up token. */
export function memberRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
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
  for (const [name, decide] of Object.entries(decisions))
    app.post(`/setup/members/${name}`, async (c) => {
      const ctx = c.get('ctx')
      const { username } = await readInput(c, Named)
      await decide(ctx, c.get('moderator'), await idOfHandle(ctx, username))
      return c.json({})
    })
  for (const [name, type] of Object.entries(actions))
    app.post(`/setup/members/${name}`, async (c) => {
      const ctx = c.get('ctx')
      const input = await readInput(c, type === 'none' ? Warned : Acted)
      const { username, text, send_email: sendEmail, block_email: blocksAddress, report_id: reportId } = input
      await actOnAccount(ctx, c.get('moderator'), {
        accountId: await idOfHandle(ctx, username),
        type,
        text,
        sendEmail,
        blocksAddress,
        reportId,
        warningPresetId: null,
        statusIds: null,
        collectionIds: null,
      })
      return c.json({})
    })
  for (const type of statusActionTypes)
    app.post(`/setup/members/statuses/${type}`, async (c) => {
      const ctx = c.get('ctx')
      const { username, text, send_email: sendEmail, status_ids: statusIds } = await readInput(c, OnStatuses)
      await actOnStatuses(ctx, c.get('moderator'), {
        accountId: await idOfHandle(ctx, username),
        type,
        text,
        sendEmail,
        reportId: null,
        warningPresetId: null,
        statusIds,
        collectionIds: null,
      })
      return c.json({})
    })
  app.post('/setup/members/disable-2fa', async (c) => {
    const ctx = c.get('ctx')
    const { username } = await readInput(c, Named)
    await disableTwoFactor(ctx, c.get('moderator'), await idOfHandle(ctx, username))
    return c.json({})
  })
  app.post('/setup/members/skip-sign-in-token', async (c) => {
    const { username, skip } = await readInput(c, Skipping)
    const ctx = c.get('ctx')
    await setSkipSignInToken(ctx, c.get('moderator'), await idOfHandle(ctx, username), skip)
    return c.json({})
  })
  app.post('/setup/members/role', async (c) => {
    const { username, role } = await readInput(c, WithRole)
    const ctx = c.get('ctx')
    const found = role === null ? null : await execute(ctx.db, findRoleByName(ctx, role))
    if (role !== null && found === null) throw new Invalid('unknown_role_name', { name: role })
    await assignRole(ctx, c.get('moderator'), await idOfHandle(ctx, username), found?.id ?? null)
    return c.json({})
  })
  return app
}
