import * as z from 'zod'
import { Status } from '../../contract/entities/status'
import { InteractionPolicy, QuotePolicy } from '../../contract/entities/visibility'
import { Id } from '../../contract/scalars'
import { combineQueries } from '../../db/query'
import { changeInteractionPolicy } from '../../domain/statuses/draft'
import { visibleStatus } from '../../domain/statuses/find'
import { quotesSelection } from '../../domain/statuses/quotes/find-quotes'
import { revokeQuote } from '../../domain/statuses/quotes/quote-state'
import { NotFound } from '../../errors'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { endpoint, readEndpoint, updateEndpoints, user } from '../endpoint'
import { page, pageOf, paging } from '../paginate'
import { orNothing } from './create'
import { ById, statusFor } from './interactions'

const Policies = ById.extend({
  quote_approval_policy: orNothing(QuotePolicy),
  // Extensions: interaction policies for replies and reblogs.
  reply_policy: orNothing(InteractionPolicy),
  reblog_policy: orNothing(InteractionPolicy),
})

const policies = updateEndpoints({
  path: '/api/v1/statuses/:id/interaction_policy',
  summary: 'Change who may quote, answer and reblog a status',
  auth: user('write:statuses'),
  input: Policies,
  output: Status,
  run: async (ctx, { input, viewer }) => {
    const { id, quote_approval_policy: quotePolicy } = input
    const change = { quotePolicy, replyPolicy: input.reply_policy, reblogPolicy: input.reblog_policy }
    await changeInteractionPolicy(ctx, viewer, { id, change })
    return statusFor(ctx, viewer, statusesById([id]))
  },
})

export const statusQuotes = [
  ...policies,
  readEndpoint({
    path: '/api/v1/statuses/:id/quotes',
    summary: 'What quotes a status',
    auth: user('read:statuses'),
    input: ById.extend(paging(20, 40)),
    output: z.array(Status),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        status: visibleStatus(ctx, as, input.id),
        quotes: loadStatuses(ctx, as, quotesSelection({ viewer: as, id: input.id, now }, pageOf(input))),
      }),
    show: ({ config, clock }, { input, request, found }) => {
      if (found.status === null) throw new NotFound()
      return page(presentStatuses({ config, now: clock.now() }, found.quotes), request, {
        cursors: found.quotes.cursors,
        limit: input.limit,
        prev: 'since_id',
      })
    },
  }),
  endpoint({
    path: '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
    summary: 'Take back consent to a quote',
    auth: user('write:statuses'),
    input: ById.extend({ quoting_status_id: Id }),
    output: Status,
    run: async (ctx, { input, viewer }) => {
      const quotingId = input.quoting_status_id
      await revokeQuote(ctx, viewer, { id: input.id, quotingId })
      return statusFor(ctx, viewer, statusesById([quotingId]))
    },
  }),
]
