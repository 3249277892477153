import * as z from 'zod'
import { Status } from '../contract/entities/status'
import { bookmarksSelection } from '../domain/timelines/home'
import { loadStatuses } from '../view/load/statuses'
import { presentStatuses } from '../view/present/status'
import { readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

export const bookmarks = [
  readEndpoint({
    path: '/api/v1/bookmarks',
    summary: 'What the viewer bookmarked',
    auth: user('read:bookmarks'),
    input: z.object(paging(20, 40)),
    output: z.array(Status),
    read: (ctx, { input, as }) => loadStatuses(ctx, as, bookmarksSelection(as, pageOf(input))),
    show: ({ config, clock }, { input, request, found }) =>
      page(presentStatuses({ config, now: clock.now() }, found), request, {
        cursors: found.cursors,
        endsEarly: found.endsEarly,
        limit: input.limit,
      }),
  }),
]
