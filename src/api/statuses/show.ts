import * as z from 'zod'
import { Status } from '../../contract/entities/status'
import { IdList } from '../../contract/scalars'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus, presentStatuses } from '../../view/present/status'
import { anyone } from '../caller'
import { readEndpoint } from '../endpoint'
import { ById } from './status-change'

const maxIds = 20

export const showStatuses = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/statuses',
    summary: 'Several statuses by id; unknown and hidden ones are left out',
    auth: anyone('read:statuses'),
    input: z.object({
      id: IdList.refine((ids) => ids.length <= maxIds, `names more than ${maxIds} statuses`),
    }),
    output: z.array(Status),
    read: (ctx, { input, as }) => loadStatuses(ctx, as, statusesById(input.id)),
    show: ({ config, clock }, { found }) => presentStatuses({ config, now: clock.now() }, found),
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/statuses/:id',
    summary: 'A status',
    auth: anyone('read:statuses'),
    input: ById,
    output: Status,
    read: (ctx, { input, as }) => loadStatuses(ctx, as, statusesById([input.id])),
    show: ({ config, clock }, { found }) => presentOnlyStatus({ config, now: clock.now() }, found),
  }),
]
