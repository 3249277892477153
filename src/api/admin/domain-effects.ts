import * as z from 'zod'
import { AdminDomainBlockPreview, DomainSuspensions, Severance } from '../../contract/entities/admin/domain'
import { Id, OptionalText } from '../../contract/scalars'
import { findSuspensions } from '../../domain/moderation/find-limits'
import { requireLimitableDomain } from '../../domain/moderation/limit-domain'
import { previewLimit } from '../../domain/moderation/preview-effects'
import {
  findSeverances,
  restorableMilliseconds,
  restoreFollows,
} from '../../domain/moderation/restore-follows'
import { presentDomainBlock, presentEffects, presentSeverance } from '../../view/present/admin-domain'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

/** Preview of the effects of a limit, and restoring of the follows that limits ended. */
export const adminDomainEffects = [
  endpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/domain_blocks/preview',
    summary: 'Accounts and follows that a limit on a server would affect',
    auth: staff('admin:read:domain_blocks', 'manageFederation'),
    input: z.object({ domain: OptionalText }),
    output: AdminDomainBlockPreview,
    run: async (ctx, { input }) => {
      const domain = requireLimitableDomain(ctx.config, input.domain ?? '')
      const { effects, existing } = await previewLimit(ctx, domain)
      return {
        domain,
        ...presentEffects(effects),
        existing_domain_blocks: await Promise.all(existing.map(presentDomainBlock)),
      }
    },
  }),

  readEndpoint({
    path: '/api/fieldfare/v1/admin/domain_blocks/suspensions',
    summary: 'Suspensions of servers in progress by domain, those behind `after`; `next` goes on',
    auth: staff('admin:read:domain_blocks', 'manageFederation'),
    input: z.object({ after: z.string().default('') }),
    output: DomainSuspensions,
    read: (ctx, { input }) => findSuspensions(ctx, input.after),
    show: (_ctx, { found: { suspensions, next } }) => ({
      suspensions: suspensions.map(({ domain, accountsCount, accountsDone }) => ({
        domain,
        accounts_count: accountsCount,
        accounts_done: accountsDone,
      })),
      next,
    }),
  }),

  readEndpoint({
    path: '/api/fieldfare/v1/admin/severances',
    summary: 'Suspensions of servers that ended follows, newest first',
    auth: staff('admin:read:domain_blocks', 'manageFederation'),
    input: z.object(paging(40, 100)),
    output: z.array(Severance),
    read: (ctx, { input }) => findSeverances(ctx, pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(
        found.map((row) => presentSeverance(row, restorableMilliseconds)),
        request,
        { cursors: found.map(({ id }) => id), limit: input.limit },
      ),
  }),

  endpoint({
    path: '/api/fieldfare/v1/admin/severances/:id/restore',
    summary: 'Restores the follows that the suspension of a server ended, in the background',
    auth: staff('admin:write:domain_blocks', 'manageFederation'),
    input: z.object({ id: Id }),
    output: Severance,
    run: async (ctx, { viewer, input }) =>
      presentSeverance(await restoreFollows(ctx, viewer, input.id), restorableMilliseconds),
  }),
]
