import * as z from 'zod'
import { Status } from '../contract/entities/status'
import { homeSelection } from '../domain/timelines/home'
import { loadStatuses } from '../view/load/statuses'
import { presentStatuses } from '../view/present/status'
import { user } from './caller'
import { readEndpoint } from './endpoint'
import { page, pageOf, paging } from './paginate'

/** Timelines go on as long as there is anything, and read upwards with `min_id`. */
const form = { prev: 'min_id', nextWhen: 'any' } as const

export const timelines = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/timelines/home',
    summary: 'Statuses of the viewer and of followed accounts',
    auth: user('read:statuses'),
    input: z.object(paging(20, 40)),
    output: z.array(Status),
    read: (ctx, { input, as, now }) => loadStatuses(ctx, as, homeSelection(as, pageOf(input), now)),
    show: ({ config, clock }, { input, request, found }) =>
      page(presentStatuses({ config, now: clock.now() }, found), request, {
        ...{ cursors: found.cursors, limit: input.limit },
        ...form,
      }),
  }),
]
