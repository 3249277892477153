import * as z from 'zod'
import { AdminInvite } from '../../contract/entities/admin/sign-up'
import { Id } from '../../contract/scalars'
import { execute, orNotFound } from '../../db/query'
import { expireAllInvites, expireInvite, findInviteById, findInvites } from '../../domain/users/invites'
import { presentAdminInvite } from '../../view/present/admin-sign-up'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const path = '/api/fieldfare/v1/admin/invites'
const writing = staff('admin:write', 'manageInvites')

export const adminInvites = [
  readEndpoint({
    path,
    summary: 'The invitations of all members, newest first',
    auth: staff('admin:read', 'manageInvites'),
    input: z.object(paging(40, 100)),
    output: z.array(AdminInvite),
    read: (ctx, { input }) => findInvites(ctx, pageOf(input)),
    show: ({ config }, { found, request, input }) =>
      page(
        found.map((invite) => presentAdminInvite(config, invite)),
        request,
        { cursors: found.map(({ id }) => id), limit: input.limit },
      ),
  }),
  endpoint({
    path: `${path}/expire_all`,
    summary: 'Expires every invitation now; `expired` says how many there were',
    auth: writing,
    output: z.strictObject({ expired: z.int() }),
    run: async (ctx, { viewer }) => ({ expired: await expireAllInvites(ctx, viewer) }),
  }),
  endpoint({
    path: `${path}/:id/expire`,
    summary: 'Expires an invitation now; whoever signed up with it stays',
    auth: writing,
    input: z.object({ id: Id }),
    output: AdminInvite,
    run: async (ctx, { input, viewer }) => {
      await expireInvite(ctx, viewer, input.id)
      const invite = await execute(ctx.db, orNotFound(findInviteById(ctx, input.id)))
      return presentAdminInvite(ctx.config, invite)
    },
  }),
]
