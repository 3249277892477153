import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { AdminAccount } from '../../contract/entities/admin/account'
import { Flag, Id, OptionalId, OptionalIdList, OptionalText } from '../../contract/scalars'
import { execute } from '../../db/query'
import type { Moderator } from '../../domain/core/viewer'
import {
  actionTypes,
  actOnAccount,
  enableAccount,
  removeMark,
  unsuspendAccount,
} from '../../domain/moderation/act'
import { approveMember, deleteSuspendedAccount, rejectMember } from '../../domain/moderation/delete-account'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { loadAdminAccounts } from '../../view/load/admin-accounts'
import { presentOnlyAdminAccount } from '../../view/present/admin-account'
import { endpoint, readEndpoint, staff } from '../endpoint'

const named = (id: AccountId) => sql`select ${id} as id, 0 as cursor`

async function showAccount(ctx: Ctx, id: AccountId): Promise<AdminAccount> {
  return presentOnlyAdminAccount(ctx.config, await execute(ctx.db, loadAdminAccounts(ctx, named(id))))
}

/** Acts on an account that answer with it as it is afterwards. */
const decisions = {
  approve: { summary: 'Lets in an account that waits for approval', decide: approveMember },
  enable: { summary: 'Lets the owner of a disabled account in again', decide: enableAccount },
  unsensitive: {
    summary: 'Stops marking all media of an account as sensitive',
    decide: (ctx: Ctx, moderator: Moderator, accountId: AccountId) =>
      removeMark(ctx, moderator, { accountId, action: 'unsensitive' }),
  },
  unsilence: {
    summary: 'Lifts the limit of an account',
    decide: (ctx: Ctx, moderator: Moderator, accountId: AccountId) =>
      removeMark(ctx, moderator, { accountId, action: 'unsilence' }),
  },
  unsuspend: { summary: 'Lifts the suspension of an account', decide: unsuspendAccount },
} as const

export const adminAccounts = [
  readEndpoint({
    path: '/api/v1/admin/accounts/:id',
    summary: 'One account with what moderators see of it',
    auth: staff('admin:read:accounts', 'manageUsers'),
    input: z.object({ id: Id }),
    output: AdminAccount,
    read: (ctx, { input }) => loadAdminAccounts(ctx, named(input.id)),
    show: ({ config }, { found }) => presentOnlyAdminAccount(config, found),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/accounts/:id',
    summary: 'Removes the data of a suspended account now, for good',
    auth: staff('admin:write:accounts', 'deleteUserData'),
    input: z.object({ id: Id }),
    run: (ctx, { viewer, input }) => deleteSuspendedAccount(ctx, viewer, input.id),
  }),
  endpoint({
    path: '/api/v1/admin/accounts/:id/action',
    summary: 'Warns, disables, sensitises, limits or suspends an account',
    auth: staff('admin:write:accounts', 'manageUsers'),
    input: z.object({
      id: Id,
      type: z.enum(actionTypes),
      text: OptionalText,
      report_id: OptionalId,
      warning_preset_id: OptionalId,
      send_email_notification: Flag.default(true),
      include_statuses: Flag.default(true),
      status_ids: OptionalIdList,
      // Own: Mastodon blocks the address of every suspended account.
      block_email: Flag.default(true),
    }),
    run: async (ctx, { viewer, input }) => {
      await actOnAccount(ctx, viewer, {
        accountId: input.id,
        type: input.type,
        text: input.text ?? '',
        reportId: input.report_id ?? null,
        warningPresetId: input.warning_preset_id ?? null,
        sendEmail: input.send_email_notification === true,
        statusIds: input.include_statuses === false ? [] : (input.status_ids ?? null),
        collectionIds: null,
        blocksAddress: input.block_email === true,
      })
    },
  }),
  ...Object.entries(decisions).map(([name, { summary, decide }]) =>
    endpoint({
      path: `/api/v1/admin/accounts/:id/${name}`,
      summary,
      auth: staff('admin:write:accounts', 'manageUsers'),
      input: z.object({ id: Id }),
      output: AdminAccount,
      run: async (ctx, { viewer, input }) => {
        await decide(ctx, viewer, input.id)
        return showAccount(ctx, input.id)
      },
    }),
  ),
  endpoint({
    path: '/api/v1/admin/accounts/:id/reject',
    summary: 'Removes an account that waits for approval',
    auth: staff('admin:write:accounts', 'manageUsers'),
    input: z.object({ id: Id }),
    output: AdminAccount,
    run: async (ctx, { viewer, input }) => {
      // As it was: afterwards there is nothing left to show.
      const rejected = await showAccount(ctx, input.id)
      await rejectMember(ctx, viewer, input.id)
      return rejected
    },
  }),
]
