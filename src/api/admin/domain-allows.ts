import * as z from 'zod'
import { AdminDomainAllow } from '../../contract/entities/admin/domain'
import { OptionalText } from '../../contract/scalars'
import { allowedById, findAllowedDomains } from '../../domain/moderation/find-limits'
import { allowDomain, disallowDomain } from '../../domain/moderation/limit-domain'
import { presentDomainAllow } from '../../view/present/admin-domain'
import { staff } from '../endpoint'
import { AdminResource } from './resource'

const allows = new AdminResource({
  path: '/api/v1/admin/domain_allows',
  reading: staff('admin:read:domain_allows', 'manageFederation'),
  writing: staff('admin:write:domain_allows', 'manageFederation'),
  output: AdminDomainAllow,
  present: presentDomainAllow,
})

export const adminDomainAllows = [
  allows.list('Servers on the allow-list, newest first', [100, 390], findAllowedDomains),
  allows.one('One server on the allow-list', allowedById),
  allows.create('Adds a server to the allow-list; one that is on it stays', {
    input: z.object({ domain: OptionalText }),
    run: (ctx, { viewer, input }) => allowDomain(ctx, viewer, input.domain ?? ''),
  }),
  allows.remove('Removes a server from the allow-list', disallowDomain),
]
