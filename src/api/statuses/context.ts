import { Context } from '../../contract/entities/context'
import { lookAround } from '../../domain/statuses/look-around'
import { threadSelection } from '../../domain/timelines/thread'
import { NotFound } from '../../errors'
import { loadStatuses } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { anyone } from '../caller'
import { readEndpoint } from '../endpoint'
import { ById } from './one'

export const statusContext = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/statuses/:id/context',
    summary: 'The thread around a status',
    auth: anyone('read:statuses'),
    input: ById,
    output: Context,
    read: (ctx, { input, as, now }) => loadStatuses(ctx, as, threadSelection(as, { id: input.id, now })),
    show: (ctx, { input, viewer, found }) => {
      const middle = found.ids.indexOf(input.id)
      if (middle === -1) throw new NotFound()
      const { config, clock } = ctx
      const thread = presentStatuses({ config, now: clock.now() }, found)
      const [status, top] = [input.id, found.ids[0]].map((id) => found.statuses.get(id ?? input.id)?.status)
      // Strangers, machines among them, must not make this server ask others.
      if (viewer !== null && status !== undefined && top !== undefined) lookAround(ctx, { status, top })
      return { ancestors: thread.slice(0, middle), descendants: thread.slice(middle + 1) }
    },
  }),
]
