import * as z from 'zod'
import { DomainBlockPreview } from '../contract/entities/instance'
import { parseDomain } from '../contract/handle'
import {
  blockDomain,
  blockedDomains,
  domainBlockPreview,
  unblockDomain,
} from '../domain/relationships/domain-block'
import { endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

const Domain = z.object({
  domain: z.preprocess(
    (sent) => sent ?? '',
    z.string().transform((text, context) => {
      const domain = parseDomain(text)
      if (domain !== null) return domain
      context.addIssue({ code: 'custom', message: 'is not a valid domain name' })
      return z.NEVER
    }),
  ),
})

export const domainBlocks = [
  readEndpoint({
    path: '/api/v1/domain_blocks',
    summary: 'Domains the viewer blocks',
    auth: user('read:blocks'),
    input: z.object(paging(100, 200)),
    output: z.array(z.string()),
    read: (ctx, { input, as }) => blockedDomains(ctx, as, pageOf(input)),
    show: (_ctx, { input, request, found }) =>
      page(
        found.map(({ domain }) => domain),
        request,
        {
          cursors: found.map(({ cursor }) => cursor),
          limit: input.limit,
          prev: 'since_id',
        },
      ),
  }),
  readEndpoint({
    path: '/api/v1/domain_blocks/preview',
    summary: 'What blocking a domain would cost the viewer',
    auth: user('write:blocks'),
    input: Domain,
    output: DomainBlockPreview,
    read: (ctx, { input, as }) => domainBlockPreview(ctx, as, input.domain),
    show: (_ctx, { found }) => ({ following_count: found.following, followers_count: found.followers }),
  }),
  endpoint({
    path: '/api/v1/domain_blocks',
    summary: 'Block everybody of a domain',
    auth: user('write:blocks'),
    input: Domain,
    run: (ctx, { input, viewer }) => blockDomain(ctx, viewer, input.domain),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/domain_blocks',
    summary: 'Block a domain no longer',
    auth: user('write:blocks'),
    input: z.object({ domain: z.string().nullish() }),
    run: async (ctx, { input, viewer }) => {
      const domain = parseDomain(input.domain ?? '')
      if (domain !== null) await unblockDomain(ctx, viewer, domain)
    },
  }),
]
