import * as z from 'zod'
import { Blocklist, BlocklistChange, BlocklistPreview } from '../../contract/entities/admin/domain'
import { Flag, Id, IdList, OptionalText } from '../../contract/scalars'
import { combineQueries, execute } from '../../db/query'
import {
  findPendingChanges,
  findSubscriptions,
  limitsOn,
  subscriptionById,
} from '../../domain/moderation/blocklists/find'
import {
  approveChanges,
  type Decided,
  decidedAtOnce,
  previewReview,
  rejectChanges,
} from '../../domain/moderation/blocklists/review'
import { checkList, subscribeToList, unsubscribe } from '../../domain/moderation/blocklists/subscribe'
import { Invalid, NotFound } from '../../errors'
import { presentBlocklist, presentBlocklistChange, presentEffects } from '../../view/present/admin-domain'
import { showFound } from '../api-response'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { page, pageOf, paging, showPage } from '../paginate'

const reading = staff('admin:read:domain_blocks', 'manageFederation')
const writing = staff('admin:write:domain_blocks', 'manageFederation')
const path = '/api/fieldfare/v1/admin/blocklists'
const One = z.object({ id: Id })
const Decision = z.object({ id: Id, change_ids: IdList, all: Flag.default(false) })

/** Subscriptions to published lists of limits. */
export const adminBlocklists = [
  readEndpoint({
    path,
    summary: 'Subscriptions to published lists of limits, newest first',
    auth: reading,
    input: z.object(paging(40, 100)),
    output: z.array(Blocklist),
    read: (ctx, { input }) => findSubscriptions(ctx, pageOf(input)),
    show: showPage(presentBlocklist),
  }),

  endpoint({
    path,
    summary: 'Subscribes to a published list; nothing takes effect before it is approved',
    auth: writing,
    input: z.object({ url: OptionalText, title: OptionalText }),
    output: Blocklist,
    run: async (ctx, { viewer, input }) =>
      presentBlocklist(
        await subscribeToList(ctx, viewer, { url: input.url ?? '', title: input.title ?? '' }),
      ),
  }),

  readEndpoint({
    path: `${path}/:id`,
    summary: 'One subscription to a list of limits',
    auth: reading,
    input: One,
    output: Blocklist,
    read: (ctx, { input }) => subscriptionById(ctx, input.id),
    show: showFound(presentBlocklist),
  }),

  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Ends a subscription; its limits stay, or are lifted with `lift`',
    auth: writing,
    input: One.extend({ lift: Flag.default(false) }),
    run: (ctx, { viewer, input }) => unsubscribe(ctx, viewer, input.id, { lift: input.lift }),
  }),

  endpoint({
    path: `${path}/:id/check`,
    summary: 'Has a published list fetched now',
    auth: writing,
    input: One,
    output: Blocklist,
    run: async (ctx, { viewer, input }) => presentBlocklist(await checkList(ctx, viewer, input.id)),
  }),

  readEndpoint({
    path: `${path}/:id/changes`,
    summary: 'Changes that a list proposes, newest first',
    auth: reading,
    input: One.extend(paging(100, 120)),
    output: z.array(BlocklistChange),
    read: (ctx, { input }) =>
      combineQueries({
        list: subscriptionById(ctx, input.id),
        found: findPendingChanges(ctx, input.id, pageOf(input)),
      }),
    show: async (ctx, { found: { list, found }, request, input }) => {
      if (list === null) throw new NotFound()
      const domains = found.map(({ domain }) => domain)
      const limits = await execute(ctx.db, limitsOn(ctx, domains))
      return page(await Promise.all(found.map((entry) => presentBlocklistChange(entry, limits))), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      })
    },
  }),

  endpoint({
    method: 'GET',
    path: `${path}/:id/preview`,
    summary: 'Numbers of the changes that a list proposes, and what its suspensions would affect',
    auth: reading,
    input: One,
    output: BlocklistPreview,
    run: async (ctx, { input }) => {
      const { added, changed, removed, effects } = await previewReview(ctx, input.id)
      return {
        added_count: added,
        changed_count: changed,
        removed_count: removed,
        ...presentEffects(effects),
      }
    },
  }),

  endpoint({
    path: `${path}/:id/approve`,
    summary: 'Approves changes that a list proposes, by their ids or `all`',
    auth: writing,
    input: Decision,
    output: Blocklist,
    run: async (ctx, { viewer, input }) =>
      presentBlocklist(await approveChanges(ctx, viewer, input.id, decidedOf(input))),
  }),

  endpoint({
    path: `${path}/:id/reject`,
    summary: 'Rejects changes that a list proposes, by their ids or `all`',
    auth: writing,
    input: Decision,
    output: Blocklist,
    run: async (ctx, { viewer, input }) =>
      presentBlocklist(await rejectChanges(ctx, viewer, input.id, decidedOf(input))),
  }),
]

function decidedOf({ change_ids, all }: z.output<typeof Decision>): Decided {
  if (all) return 'all'
  if (change_ids.length === 0) throw new Invalid('blank', { field: 'change_ids' })
  if (change_ids.length > decidedAtOnce)
    throw new Invalid('too_many_ids', { field: 'change_ids', max: decidedAtOnce })
  return change_ids
}
