import * as z from 'zod'
import { FilterKeyword, FilterStatus } from '../../contract/entities/filter'
import { Id } from '../../contract/scalars'
import { filterWithKeyword, filterWithStatus, ownFilter } from '../../domain/filters/create'
import {
  addKeyword,
  changeKeyword,
  filterStatus,
  keywordIn,
  putKeyword,
  removeKeyword,
  unfilterStatus,
} from '../../domain/filters/keywords'
import { NotFound } from '../../errors'
import { presentFilteredStatus, presentKeyword } from '../../view/present/filter'
import { endpoint, readEndpoint, updateEndpoints, user } from '../endpoint'
import { deprecatedSince, KeywordInput } from './filters'

const InFilter = z.object({ filter_id: Id })
const ById = z.object({ id: Id })

/** Keywords of a filter, under each path Mastodon has used. */
const ofFilter = (['/api/v2/filters', '/api/v1/filters'] as const).flatMap((prefix) => {
  const path = `${prefix}/:filter_id/keywords` as const
  const outdated = prefix === '/api/v1/filters' ? { deprecatedSince } : {}
  return [
    readEndpoint({
      path,
      summary: 'Keywords of a filter',
      ...outdated,
      auth: user('read:filters'),
      input: InFilter,
      output: z.array(FilterKeyword),
      read: (ctx, { input, as }) => ownFilter(ctx, as, input.filter_id),
      show: (_ctx, { found }) => {
        if (found === null) throw new NotFound()
        return found.keywords.map(presentKeyword)
      },
    }),
    endpoint({
      path,
      summary: 'Put a keyword into a filter',
      ...outdated,
      auth: user('write:filters'),
      input: KeywordInput.extend(InFilter.shape),
      output: FilterKeyword,
      run: async (ctx, { input, viewer }) => {
        const { filter_id: filterId, keyword, whole_word: wholeWord } = input
        return presentKeyword(await addKeyword(ctx, viewer, { filterId, keyword, wholeWord }))
      },
    }),
  ]
})

const keywordPaths = [
  { path: '/api/v2/filters/keywords/:id', outdated: {} },
  { path: '/api/v2/filter_keywords/:id', outdated: {} },
  { path: '/api/v1/filters/keywords/:id', outdated: { deprecatedSince } },
] as const

/** A single keyword, under each path Mastodon has used. */
const keywordEndpoints = keywordPaths.flatMap(({ path, outdated }) => [
  readEndpoint({
    path,
    summary: 'One keyword of a filter',
    ...outdated,
    auth: user('read:filters'),
    input: ById,
    output: FilterKeyword,
    read: (ctx, { input, as }) => filterWithKeyword(ctx, as, input.id),
    show: (_ctx, { input, found }) => {
      if (found === null) throw new NotFound()
      return presentKeyword(keywordIn(found, input.id))
    },
  }),
  ...updateEndpoints({
    path,
    summary: 'Change a keyword of a filter',
    ...outdated,
    auth: user('write:filters'),
    input: KeywordInput.extend(ById.shape),
    output: FilterKeyword,
    run: async (ctx, { input: { id, keyword, whole_word: wholeWord }, viewer }) =>
      presentKeyword(await changeKeyword(ctx, viewer, { id, keyword, wholeWord })),
  }),
  endpoint({
    method: 'DELETE',
    path,
    summary: 'Take a keyword out of its filter',
    ...outdated,
    auth: user('write:filters'),
    input: ById,
    run: (ctx, { input, viewer }) => removeKeyword(ctx, viewer, input.id),
  }),
])

export const filterKeywords = [
  ...ofFilter,
  ...keywordEndpoints,
  endpoint({
    path: '/api/v2/filters/:filter_id/keywords/:id',
    summary: 'Put a keyword into a filter, or change the one with this id',
    auth: user('write:filters'),
    input: KeywordInput.extend({ ...InFilter.shape, ...ById.shape }),
    output: FilterKeyword,
    run: async (ctx, { input, viewer }) => {
      const { filter_id: filterId, id, keyword, whole_word: wholeWord } = input
      return presentKeyword(await putKeyword(ctx, viewer, { filterId, id, keyword, wholeWord }))
    },
  }),
]

/** Single statuses in filters, under both paths Mastodon has used. */
export const filterStatuses = (['/api/v2/filters', '/api/v1/filters'] as const).flatMap((prefix) => {
  const inFilter = `${prefix}/:filter_id/statuses` as const
  const alone = `${prefix}/statuses/:id` as const
  const outdated = prefix === '/api/v1/filters' ? { deprecatedSince } : {}
  return [
    readEndpoint({
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
      run: (ctx, { input, viewer }) => unfilterStatus(ctx, viewer, input.id),
    }),
  ]
})
