import * as z from 'zod'
import { Filter } from '../../contract/entities/filter'
import { Id } from '../../contract/scalars'
import { createFilter, deleteFilter, updateFilter } from '../../domain/filters/create'
import { filtersOf, ownFilter } from '../../domain/filters/find'
import { NotFound } from '../../errors'
import { presentFilter } from '../../view/present/filter'
import { EmptyObject } from '../api-response'
import { user } from '../caller'
import { endpoint, readEndpoint, updateEndpoints } from '../endpoint'
import { FilterInput, toPatch } from './input'

const ById = z.object({ id: Id })

const updates = updateEndpoints({
  path: '/api/v2/filters/:id',
  summary: 'Change a filter and its keywords at once',
  auth: user('write:filters'),
  input: FilterInput.extend(ById.shape),
  output: Filter,
  run: async (ctx, { input, viewer }) =>
    presentFilter(await updateFilter(ctx, viewer, { id: input.id, patch: toPatch(input) })),
})

export const filters = [
  readEndpoint({
    method: 'GET',
    path: '/api/v2/filters',
    summary: "The viewer's filters with their keywords and statuses",
    auth: user('read:filters'),
    input: z.object({}),
    output: z.array(Filter),
    read: (ctx, { as }) => filtersOf(ctx, as),
    show: (_ctx, { found }) => found.map(presentFilter),
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v2/filters/:id',
    summary: 'One filter',
    auth: user('read:filters'),
    input: ById,
    output: Filter,
    read: (ctx, { input, as }) => ownFilter(ctx, as, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return presentFilter(found)
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/v2/filters',
    summary: 'Filter statuses by keywords',
    auth: user('write:filters'),
    input: FilterInput,
    output: Filter,
    run: async (ctx, { input, viewer }) => presentFilter(await createFilter(ctx, viewer, toPatch(input))),
  }),
  ...updates,
  endpoint({
    method: 'DELETE',
    path: '/api/v2/filters/:id',
    summary: 'Remove a filter with all that is in it',
    auth: user('write:filters'),
    input: ById,
    output: EmptyObject,
    run: async (ctx, { input, viewer }) => {
      await deleteFilter(ctx, viewer, input.id)
      return {}
    },
  }),
]
