import { Context } from '../../contract/entities/status-details'
import { combineQueries, constant } from '../../db/query'
import { findRefresh, refreshSubject } from '../../domain/core/async-refreshes'
import { fetchThreadInBackground } from '../../domain/statuses/remote/fetch-thread'
import { threadSelection } from '../../domain/timelines/thread'
import { NotFound } from '../../errors'
import { loadStatuses } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { ApiResponse } from '../api-response'
import { refreshHeaders } from '../async-refreshes'
import { anyone, mayTriggerFetches } from '../caller'
import { readEndpoint } from '../endpoint'
import { ById } from './status-change'

export const statusContext = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/statuses/:id/context',
    summary: 'The thread around a status',
    auth: anyone('read:statuses'),
    input: ById,
    output: Context,
    read: (ctx, { input, as, now }) =>
      combineQueries({
        thread: loadStatuses(ctx, as, threadSelection(as, { id: input.id, now })),
        refresh: as.signedIn ? findRefresh(ctx, refreshSubject.context(input.id)) : constant(null),
      }),
    show: async (ctx, { input, caller, found: { thread: found, refresh } }) => {
      const middle = found.ids.indexOf(input.id)
      if (middle === -1) throw new NotFound()
      const { config, clock } = ctx
      const thread = presentStatuses({ config, now: clock.now() }, found)
      const [status, top] = [input.id, found.ids[0]].map((id) => found.statuses.get(id ?? input.id)?.status)
      const running =
        !mayTriggerFetches(caller) || status === undefined || top === undefined
          ? null
          : await fetchThreadInBackground(ctx, { status, top, refresh })
      const context = { ancestors: thread.slice(0, middle), descendants: thread.slice(middle + 1) }
      return new ApiResponse(context, { headers: await refreshHeaders(ctx, running) })
    },
  }),
]
