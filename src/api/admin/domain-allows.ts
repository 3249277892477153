import * as z from 'zod'
import { AdminDomainAllow } from '../../contract/entities/admin/domain'
import { Id, OptionalText } from '../../contract/scalars'
import { allowDomain, disallowDomain } from '../../domain/moderation/allow-domain'
import { allowedById, findAllowedDomains } from '../../domain/moderation/find-limits'
import { NotFound } from '../../errors'
import { presentDomainAllow } from '../../view/present/domain-block'
import { EmptyObject } from '../api-response'
import { staff } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read:domain_allows', 'manageFederation')
const writing = staff('admin:write:domain_allows', 'manageFederation')

export const adminDomainAllows = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/admin/domain_allows',
    summary: 'Servers on the allow-list, newest first',
    auth: reading,
    input: z.object(paging(100, 500)),
    output: z.array(AdminDomainAllow),
    read: (ctx, { input }) => findAllowedDomains(ctx, pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(found.map(presentDomainAllow), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),

  readEndpoint({
    method: 'GET',
    path: '/api/v1/admin/domain_allows/:id',
    summary: 'One server on the allow-list',
    auth: reading,
    input: z.object({ id: Id }),
    output: AdminDomainAllow,
    read: (ctx, { input }) => allowedById(ctx, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentDomainAllow(found)
    },
  }),

  endpoint({
    method: 'POST',
    path: '/api/v1/admin/domain_allows',
    summary: 'Adds a server to the allow-list; one that is on it stays',
    auth: writing,
    input: z.object({ domain: OptionalText }),
    output: AdminDomainAllow,
    run: async (ctx, { viewer, input }) =>
      presentDomainAllow(await allowDomain(ctx, viewer, input.domain ?? '')),
  }),

  endpoint({
    method: 'DELETE',
    path: '/api/v1/admin/domain_allows/:id',
    summary: 'Removes a server from the allow-list',
    auth: writing,
    input: z.object({ id: Id }),
    output: EmptyObject,
    run: async (ctx, { viewer, input }) => {
      await disallowDomain(ctx, viewer, input.id)
      return {}
    },
  }),
]
