import * as z from 'zod'
import { V1Filter } from '../../contract/entities/filter'
import { Id } from '../../contract/scalars'
import { filtersOf, filterWithKeyword } from '../../domain/filters/create'
import { keywordIn } from '../../domain/filters/keywords'
import { changePhrase, createPhrase, deletePhrase, phrasesOf } from '../../domain/filters/phrases'
import { NotFound } from '../../errors'
import { presentPhrase } from '../../view/present/filter'
import { endpoint, readEndpoint, updateEndpoints, user } from '../endpoint'
import { deprecatedSince, toV1FilterPatch, V1FilterInput } from './filters'

const ById = z.object({ id: Id })

const updates = updateEndpoints({
  path: '/api/v1/filters/:id',
  summary: 'Change a phrase',
  deprecatedSince,
  auth: user('write:filters'),
  input: V1FilterInput.extend(ById.shape),
  output: V1Filter,
  run: async (ctx, { input, viewer }) =>
    presentPhrase(await changePhrase(ctx, viewer, { id: input.id, patch: toV1FilterPatch(input) })),
})

/** Filters as before 4.0: a view of each keyword. */
export const v1Filters = [
  readEndpoint({
    path: '/api/v1/filters',
    summary: "The viewer's filters, a phrase each",
    deprecatedSince,
    auth: user('read:filters'),
    output: z.array(V1Filter),
    read: (ctx, { as }) => filtersOf(ctx, as),
    show: (_ctx, { found }) => phrasesOf(found).map(presentPhrase),
  }),
  readEndpoint({
    path: '/api/v1/filters/:id',
    summary: 'One phrase',
    deprecatedSince,
    auth: user('read:filters'),
    input: ById,
    output: V1Filter,
    read: (ctx, { input, as }) => filterWithKeyword(ctx, as, input.id),
    show: (_ctx, { input, found }) => {
      if (found === null) throw new NotFound()
      return presentPhrase({ filter: found, keyword: keywordIn(found, input.id) })
    },
  }),
  endpoint({
    path: '/api/v1/filters',
    summary: 'Filter statuses by a phrase',
    deprecatedSince,
    auth: user('write:filters'),
    input: V1FilterInput,
    output: V1Filter,
    run: async (ctx, { input, viewer }) =>
      presentPhrase(await createPhrase(ctx, viewer, toV1FilterPatch(input))),
  }),
  ...updates,
  endpoint({
    method: 'DELETE',
    path: '/api/v1/filters/:id',
    summary: 'Remove a phrase',
    deprecatedSince,
    auth: user('write:filters'),
    input: ById,
    run: (ctx, { input, viewer }) => deletePhrase(ctx, viewer, input.id),
  }),
]
