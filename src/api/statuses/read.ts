import * as z from 'zod'
import { PreviewCard, Status } from '../../contract/entities/status'
import { Context, StatusSource, Translation } from '../../contract/entities/status-details'
import { IdList } from '../../contract/scalars'
import { combineQueries, constant } from '../../db/query'
import { findRefresh, refreshSubject } from '../../domain/core/async-refreshes'
import { mayTriggerFetches } from '../../domain/sessions/find'
import { visibleStatus } from '../../domain/statuses/find'
import { fetchThreadInBackground } from '../../domain/statuses/remote/fetch-thread'
import { threadSelection } from '../../domain/timelines/thread'
import { translateStatus } from '../../domain/translations/translate'
import { NotFound } from '../../errors'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus, presentStatuses } from '../../view/present/status'
import { presentTranslation } from '../../view/present/status-details'
import { ApiResponse, EmptyObject } from '../api-response'
import { refreshHeaders } from '../async-refreshes'
import { anyone, endpoint, readEndpoint, user } from '../endpoint'
import { orNothing } from './create'
import { ById } from './interactions'

const maxIds = 20

export const showStatuses = [
  readEndpoint({
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
    path: '/api/v1/statuses/:id',
    summary: 'A status',
    auth: anyone('read:statuses'),
    input: ById,
    output: Status,
    read: (ctx, { input, as }) => loadStatuses(ctx, as, statusesById([input.id])),
    show: ({ config, clock }, { found }) => presentOnlyStatus({ config, now: clock.now() }, found),
  }),
]

export const statusContext = [
  readEndpoint({
    path: '/api/v1/statuses/:id/context',
    summary: 'The thread around a status',
    auth: anyone('read:statuses'),
    input: ById,
    output: Context,
    read: (ctx, { input, as, now }) =>
      combineQueries({
        thread: loadStatuses(ctx, as, threadSelection(as, { id: input.id, now })),
        refresh: as.signedIn ? findRefresh(ctx, refreshSubject.context(input.id)) : constant(null),
      }),
    show: async (ctx, { input, caller, found: { thread: found, refresh } }) => {
      const middle = found.ids.indexOf(input.id)
      if (middle === -1) throw new NotFound()
      const { config, clock } = ctx
      const thread = presentStatuses({ config, now: clock.now() }, found)
      const [status, top] = [input.id, found.ids[0]].map((id) => found.statuses.get(id ?? input.id)?.status)
      const running =
        !mayTriggerFetches(caller) || status === undefined || top === undefined
          ? null
          : await fetchThreadInBackground(ctx, { status, top, refresh })
      const context = { ancestors: thread.slice(0, middle), descendants: thread.slice(middle + 1) }
      return new ApiResponse(context, { headers: await refreshHeaders(ctx, running) })
    },
  }),
]

export const statusSource = [
  readEndpoint({
    path: '/api/v1/statuses/:id/source',
    summary: 'The text of a status as it was typed',
    auth: user('read:statuses'),
    input: ById,
    output: StatusSource,
    read: (ctx, { input, as }) => visibleStatus(ctx, as, input.id),
    show: (_ctx, { found }) => {
      if (found === null) throw new NotFound()
      return { id: String(found.id), text: found.text, spoiler_text: found.spoilerText }
    },
  }),
]

export const statusCard = [
  readEndpoint({
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

export const statusTranslation = [
  endpoint({
    path: '/api/v1/statuses/:id/translate',
    summary: 'A status in another language',
    auth: user('read:statuses'),
    limit: 'translations',
    input: ById.extend({ lang: orNothing(z.string().max(40)) }),
    output: Translation,
    run: async (ctx, { input, viewer }) =>
      presentTranslation(await translateStatus(ctx, viewer, { id: input.id, language: input.lang ?? null })),
  }),
]
