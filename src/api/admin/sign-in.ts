import * as z from 'zod'
import { AdminSignIn } from '../../contract/entities/admin/sign-up'
import { Flag, Id } from '../../contract/scalars'
import { both, execute } from '../../db/query'
import { disableTwoFactor, setSkipSignInToken } from '../../domain/sign-in/by-moderator'
import { findFactors, hasSecondFactor } from '../../domain/sign-in/factors'
import { findMemberById } from '../../domain/users/find'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/accounts/:id/sign_in'
const ById = z.object({ id: Id })
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
    method: 'GET',
    path,
    summary: 'Whether a member has a second factor, and is spared the code by mail at new sign-ins',
    auth: staff('admin:read:accounts', 'manageUsers'),
    input: ById,
    output: AdminSignIn,
    read: (ctx, { input }) => loadSignIn(ctx, input.id),
    show: (_ctx, { found }) => present(found),
  }),
  ...updateEndpoints({
    path,
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
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await disableTwoFactor(ctx, viewer, input.id)
      return {}
    },
  }),
]
