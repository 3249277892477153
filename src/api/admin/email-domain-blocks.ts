import * as z from 'zod'
import { AdminEmailDomainBlock } from '../../contract/entities/admin/sign-up-block'
import { Flag, Id, OptionalText } from '../../contract/scalars'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  findEmailDomainBlock,
  findEmailDomainBlocks,
} from '../../domain/instance/blocks/email-domain-blocks'
import { NotFound } from '../../errors'
import { presentEmailDomainBlock } from '../../view/present/sign-up-blocks'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read:email_domain_blocks', 'manageBlocks')
const writing = staff('admin:write:email_domain_blocks', 'manageBlocks')
const path = '/api/v1/admin/email_domain_blocks'

export const adminEmailDomainBlocks = [
  readEndpoint({
    method: 'GET',
    path,
    summary: 'Blocked e-mail domains with the attempts to sign up by them, newest first',
    auth: reading,
    input: z.object(paging(100, 200)),
    output: z.array(AdminEmailDomainBlock),
    read: (ctx, { input }) => findEmailDomainBlocks(ctx, pageOf(input)),
    show: (ctx, { found, request, input }) =>
      page(
        found.map((row) => presentEmailDomainBlock(row, ctx.clock.now())),
        request,
        {
          cursors: found.map(({ id }) => id),
          limit: input.limit,
        },
      ),
  }),
  readEndpoint({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'One blocked e-mail domain',
    auth: reading,
    input: z.object({ id: Id }),
    output: AdminEmailDomainBlock,
    read: (ctx, { input }) => findEmailDomainBlock(ctx, input.id),
    show: (ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentEmailDomainBlock(found, ctx.clock.now())
    },
  }),
  endpoint({
    method: 'POST',
    path,
    summary: 'Blocks e-mail addresses of a domain, and those whose mail it receives',
    auth: writing,
    input: z.object({ domain: OptionalText, allow_with_approval: Flag.default(false) }),
    output: AdminEmailDomainBlock,
    run: async (ctx, { viewer, input }) => {
      const { domain = '', allow_with_approval: allowWithApproval = false } = input
      const row = await createEmailDomainBlock(ctx, viewer, { domain, allowWithApproval })
      return presentEmailDomainBlock(row, ctx.clock.now())
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Lifts the block of an e-mail domain',
    auth: writing,
    input: z.object({ id: Id }),
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await deleteEmailDomainBlock(ctx, viewer, input.id)
      return {}
    },
  }),
]
