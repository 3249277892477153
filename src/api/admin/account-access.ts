import { sql } from 'drizzle-orm'
import * as z from 'zod'
import {
  AdminAccount,
  AdminToken,
  CreatedAccount,
  GeneratedPassword,
  ResetLink,
} from '../../contract/entities/admin/account'
import { AdminSignIn } from '../../contract/entities/admin/sign-up'
import { Flag, Id, OptionalText } from '../../contract/scalars'
import { both, execute } from '../../db/query'
import { moveAccount } from '../../domain/accounts/move'
import { rotateKeys } from '../../domain/accounts/rotate-keys'
import { accountToModerate, requireTarget, selectByHandle } from '../../domain/moderation/find-target'
import { findTokensOf, revokeTokenOf } from '../../domain/sessions/administer-tokens'
import { disableTwoFactor, setSkipSignInToken } from '../../domain/sign-in/by-moderator'
import { findFactors, hasSecondFactor } from '../../domain/sign-in/factors'
import { confirmMember } from '../../domain/users/confirm'
import { findMemberById } from '../../domain/users/find'
import { createResetLink, replacePassword } from '../../domain/users/passwords'
import { createMemberFor } from '../../domain/users/provision'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { loadAdminAccounts } from '../../view/load/admin-accounts'
import { presentOnlyAdminAccount } from '../../view/present/admin-account'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/accounts'
const ById = z.object({ id: Id })
const reading = staff('admin:read:accounts', 'manageUsers')
const managing = staff('admin:write:accounts', 'manageUsers')
const access = staff('admin:write:accounts', 'manageUserAccess')

async function showAccount(ctx: Ctx, id: AccountId): Promise<AdminAccount> {
  const named = sql`select ${id} as id, 0 as cursor`
  return presentOnlyAdminAccount(ctx.config, await execute(ctx.db, loadAdminAccounts(ctx, named)))
}

/** Accounts, and how their owners get in: what the command line does for operators without a panel. */
export const adminAccountAccess = [
  readEndpoint({
    path: `${path}/lookup`,
    summary: 'One account by its name, `name` or `name@domain`, with what moderators see of it',
    auth: reading,
    input: z.object({ acct: z.string() }),
    output: AdminAccount,
    read: (ctx, { input }) => loadAdminAccounts(ctx, selectByHandle(ctx, input.acct)),
    show: (ctx, { found, input }) =>
      presentOnlyAdminAccount(ctx.config, found, new NotFound('unknown_name', { name: input.acct })),
  }),
  endpoint({
    path,
    summary: 'Creates a confirmed and approved account with a generated password, shown this once',
    auth: managing,
    input: z.object({ username: z.string(), email: z.email().optional(), display_name: OptionalText }),
    output: CreatedAccount,
    run: async (ctx, { input, viewer }) => {
      const { username, email, display_name: displayName } = input
      const { accountId, password } = await createMemberFor(ctx, viewer, { username, email, displayName })
      return { account: await showAccount(ctx, accountId), password }
    },
  }),
  endpoint({
    path: `${path}/:id/confirm`,
    summary: 'Confirms the e-mail address of a member whose mail does not arrive',
    auth: managing,
    input: ById,
    output: AdminAccount,
    run: async (ctx, { input, viewer }) => {
      await confirmMember(ctx, viewer, input.id)
      return showAccount(ctx, input.id)
    },
  }),
  endpoint({
    path: `${path}/:id/password`,
    summary: 'Gives a member a generated password, shown this once, and ends all sessions and tokens',
    auth: access,
    input: ById,
    output: GeneratedPassword,
    run: async (ctx, { input, viewer }) => ({ password: await replacePassword(ctx, viewer, input.id) }),
  }),
  endpoint({
    path: `${path}/:id/reset_link`,
    summary: 'Makes a link by which a member chooses a new password, for servers that send no mail',
    auth: access,
    input: ById,
    output: ResetLink,
    run: async (ctx, { input, viewer }) => ({ url: await createResetLink(ctx, viewer, input.id) }),
  }),
  endpoint({
    path: `${path}/:id/rotate_keys`,
    summary: 'Gives a member a new pair of keys, where the private one may be known to others',
    auth: managing,
    input: ById,
    run: (ctx, { input, viewer }) => rotateKeys(ctx, viewer, input.id),
  }),
  endpoint({
    path: `${path}/:id/move`,
    summary: 'Moves a member to an account that names the old one as an alias; followers are asked to follow',
    auth: access,
    input: ById.extend({ acct: z.string() }),
    output: AdminAccount,
    run: async (ctx, { input, viewer: moderator }) => {
      const {
        id: accountId,
        username,
        domain,
      } = requireTarget(moderator, await execute(ctx.db, accountToModerate(ctx, input.id)))
      if (domain !== null) throw new NotFound()
      await moveAccount(ctx, { accountId, username, handle: input.acct, moderator })
      return showAccount(ctx, accountId)
    },
  }),
  readEndpoint({
    path: `${path}/:id/tokens`,
    summary: 'The newest 100 access tokens of a member, without the tokens themselves',
    auth: staff('admin:read:accounts', 'manageUserAccess'),
    input: ById,
    output: z.array(AdminToken),
    read: (ctx, { input }) => findTokensOf(ctx, input.id),
    show: (_ctx, { found: { account, tokens } }) => {
      if (account === null) throw new NotFound()
      return tokens.map(({ token, application }) => ({
        id: String(token.id),
        application: application.name,
        scopes: token.scopes.split(' '),
        created_at: token.createdAt.toISOString(),
        last_used_at: token.lastUsedAt?.toISOString() ?? null,
      }))
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id/tokens/:token_id`,
    summary: 'Ends an access token of a member',
    auth: access,
    input: ById.extend({ token_id: Id }),
    run: (ctx, { input, viewer }) =>
      revokeTokenOf(ctx, viewer, { accountId: input.id, tokenId: input.token_id }),
  }),
]

const signInPath = '/api/fieldfare/v1/admin/accounts/:id/sign_in'
const writing = staff('admin:write:accounts', 'manageUsers')

function loadSignIn(ctx: Ctx, id: AccountId) {
  return both(findMemberById(ctx, id), findFactors(ctx, id))
}

function present([member, factors]: ReturnType<ReturnType<typeof loadSignIn>['decode']>): AdminSignIn {
  if (member === null) throw new NotFound()
  return {
    account_id: String(member.accountId),
    two_factor_enabled: hasSecondFactor(factors),
    skip_sign_in_token: member.skipSignInToken,
  }
}

/** Decides how members sign in, which Mastodon has on its pages only. */
export const adminSignIn = [
  readEndpoint({
    path: signInPath,
    summary: 'Whether a member has a second factor, and is spared the code by mail at new sign-ins',
    auth: staff('admin:read:accounts', 'manageUsers'),
    input: ById,
    output: AdminSignIn,
    read: (ctx, { input }) => loadSignIn(ctx, input.id),
    show: (_ctx, { found }) => present(found),
  }),
  ...updateEndpoints({
    path: signInPath,
    summary: 'Spares a member the code by mail that is asked for when a sign-in looks new, or not',
    auth: writing,
    input: ById.extend({ skip_sign_in_token: Flag }),
    output: AdminSignIn,
    run: async (ctx, { viewer, input: { id, skip_sign_in_token: skip } }) => {
      await setSkipSignInToken(ctx, viewer, id, skip)
      return present(await execute(ctx.db, loadSignIn(ctx, id)))
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/fieldfare/v1/admin/accounts/:id/two_factor',
    summary: 'Removes every second factor of a member who lost them',
    auth: writing,
    input: ById,
    run: (ctx, { viewer, input }) => disableTwoFactor(ctx, viewer, input.id),
  }),
]
