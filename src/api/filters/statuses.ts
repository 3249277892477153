import * as z from 'zod'
import { FilterStatus } from '../../contract/entities/filter'
import { Id } from '../../contract/scalars'
import { filterWithStatus, ownFilter } from '../../domain/filters/find'
import { filterStatus, unfilterStatus } from '../../domain/filters/statuses'
import { NotFound } from '../../errors'
import { presentFilteredStatus } from '../../view/present/filter'
import { EmptyObject } from '../api-response'
import { user } from '../caller'
import { endpoint, readEndpoint } from '../endpoint'
import { deprecatedSince } from './input'

const InFilter = z.object({ filter_id: Id })
const ById = z.object({ id: Id })

/** Single statuses in filters, under both paths Mastodon has used. */
export const filterStatuses = (['/api/v2/filters', '/api/v1/filters'] as const).flatMap((prefix) => {
  const inFilter = `${prefix}/:filter_id/statuses` as const
  const alone = `${prefix}/statuses/:id` as const
  const outdated = prefix === '/api/v1/filters' ? { deprecatedSince } : {}
  return [
    readEndpoint({
      method: 'GET',
      path: inFilter,
      summary: 'Statuses in a filter',
      ...outdated,
      auth: user('read:filters'),
      input: InFilter,
      output: z.array(FilterStatus),
      read: (ctx, { input, as }) => ownFilter(ctx, as, input.filter_id),
      show: (_ctx, { found }) => {
        if (found === null) throw new NotFound()
        return found.statuses.map(presentFilteredStatus)
      },
    }),
    endpoint({
      method: 'POST',
      path: inFilter,
      summary: 'Put a status into a filter',
      ...outdated,
      auth: user('write:filters'),
      // A missing status_id names no existing status.
      input: InFilter.extend({ status_id: Id.default(0) }),
      output: FilterStatus,
      run: async (ctx, { input: { filter_id: filterId, status_id: statusId }, viewer }) =>
        presentFilteredStatus(await filterStatus(ctx, viewer, { filterId, statusId })),
    }),
    readEndpoint({
      method: 'GET',
      path: alone,
      summary: 'One status in a filter',
      ...outdated,
      auth: user('read:filters'),
      input: ById,
      output: FilterStatus,
      read: (ctx, { input, as }) => filterWithStatus(ctx, as, input.id),
      show: (_ctx, { input, found }) => {
        const filtered = found?.statuses.find(({ id }) => id === input.id)
        if (filtered === undefined) throw new NotFound()
        return presentFilteredStatus(filtered)
      },
    }),
    endpoint({
      method: 'DELETE',
      path: alone,
      summary: 'Take a status out of its filter',
      ...outdated,
      auth: user('write:filters'),
      input: ById,
      output: EmptyObject,
      run: async (ctx, { input, viewer }) => {
        await unfilterStatus(ctx, viewer, input.id)
        return {}
      },
    }),
  ]
})
