import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { AdminAccount } from '../../contract/entities/admin/account'
import { Id } from '../../contract/scalars'
import { loadAdminAccounts } from '../../view/load/admin-accounts'
import { presentOnlyAdminAccount } from '../../view/present/admin-account'
import { staff } from '../caller'
import { readEndpoint } from '../endpoint'

export const adminAccounts = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/admin/accounts/:id',
    summary: 'One account with what moderators see of it',
    auth: staff('admin:read:accounts', 'manageUsers'),
    input: z.object({ id: Id }),
    output: AdminAccount,
    read: (ctx, { input }) => loadAdminAccounts(ctx, sql`select ${input.id} as id, 0 as cursor`),
    show: ({ config }, { found }) => presentOnlyAdminAccount(config, found),
  }),
]
