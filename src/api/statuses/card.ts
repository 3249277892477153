import * as z from 'zod'
import { PreviewCard } from '../../contract/entities/status'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { EmptyObject } from '../api-response'
import { anyone } from '../caller'
import { readEndpoint } from '../endpoint'
import { ById } from './status-change'

export const statusCard = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/statuses/:id/card',
    summary: 'The preview of the page a status links, or an empty object; today it is part of the status',
    auth: anyone('read:statuses'),
    deprecatedSince: new Date('2018-10-30T00:00:00Z'),
    input: ById,
    output: z.union([PreviewCard, EmptyObject]),
    read: (ctx, { input, as }) => loadStatuses(ctx, as, statusesById([input.id])),
    show: ({ config, clock }, { found }) => presentOnlyStatus({ config, now: clock.now() }, found).card ?? {},
  }),
]
