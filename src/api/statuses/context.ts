import { Context } from '../../contract/entities/context'
import { known, together } from '../../db/query'
import { refreshOf, refreshSubject } from '../../domain/core/async-refreshes'
import { lookAround } from '../../domain/statuses/remote/look-around'
import { threadSelection } from '../../domain/timelines/thread'
import { NotFound } from '../../errors'
import { loadStatuses } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { refreshHeaders } from '../async-refreshes'
import { anyone, mayCauseRequests } from '../caller'
import { readEndpoint } from '../endpoint'
import { Reply } from '../reply'
import { ById } from './one'

export const statusContext = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/statuses/:id/context',
    summary: 'The thread around a status',
    auth: anyone('read:statuses'),
    input: ById,
    output: Context,
    read: (ctx, { input, as, now }) =>
      together({
        thread: loadStatuses(ctx, as, threadSelection(as, { id: input.id, now })),
        refresh: as.signedIn ? refreshOf(ctx, refreshSubject.context(input.id)) : known(null),
      }),
    show: async (ctx, { input, caller, found: { thread: found, refresh } }) => {
      const middle = found.ids.indexOf(input.id)
      if (middle === -1) throw new NotFound()
      const { config, clock } = ctx
      const thread = presentStatuses({ config, now: clock.now() }, found)
      const [status, top] = [input.id, found.ids[0]].map((id) => found.statuses.get(id ?? input.id)?.status)
      const running =
        !mayCauseRequests(caller) || status === undefined || top === undefined
          ? null
          : await lookAround(ctx, { status, top, refresh })
      const context = { ancestors: thread.slice(0, middle), descendants: thread.slice(middle + 1) }
      return new Reply(context, { headers: await refreshHeaders(ctx, running) })
    },
  }),
]
