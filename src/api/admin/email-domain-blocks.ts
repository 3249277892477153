import * as z from 'zod'
import { AdminEmailDomainBlock } from '../../contract/entities/admin/sign-up'
import { Flag, OptionalText } from '../../contract/scalars'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  type EmailDomainBlockRow,
  findEmailDomainBlock,
  findEmailDomainBlocks,
} from '../../domain/sign-up-blocks/email-domain-blocks'
import { presentEmailDomainBlock } from '../../view/present/admin-sign-up'
import { staff } from '../endpoint'
import { AdminResource } from './resource'

const blocks = new AdminResource({
  path: '/api/v1/admin/email_domain_blocks',
  reading: staff('admin:read:email_domain_blocks', 'manageBlocks'),
  writing: staff('admin:write:email_domain_blocks', 'manageBlocks'),
  output: AdminEmailDomainBlock,
  present: (row: EmailDomainBlockRow, { clock }) => presentEmailDomainBlock(row, clock.now()),
})

export const adminEmailDomainBlocks = [
  blocks.list(
    'Blocked e-mail domains with the attempts to sign up by them, newest first',
    [100, 200],
    findEmailDomainBlocks,
  ),
  blocks.one('One blocked e-mail domain', findEmailDomainBlock),
  blocks.create('Blocks e-mail addresses of a domain, and those whose mail it receives', {
    input: z.object({ domain: OptionalText, allow_with_approval: Flag.default(false) }),
    run: (ctx, { viewer, input: { domain = '', allow_with_approval: allowWithApproval = false } }) =>
      createEmailDomainBlock(ctx, viewer, { domain, allowWithApproval }),
  }),
  blocks.remove('Lifts the block of an e-mail domain', deleteEmailDomainBlock),
]
