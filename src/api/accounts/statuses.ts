import * as z from 'zod'
import { Status } from '../../contract/entities/status'
import { Flag } from '../../contract/scalars'
import { combineQueries } from '../../db/query'
import { accountExists } from '../../domain/accounts/find'
import type { ViewerRef } from '../../domain/core/viewer'
import { accountSelection, pinnedSelection } from '../../domain/timelines/account'
import { NotFound } from '../../errors'
import { normaliseHashtag } from '../../lib/hashtag'
import { loadStatuses } from '../../view/load/statuses'
import { presentStatuses } from '../../view/present/status'
import { anyone } from '../caller'
import { readEndpoint } from '../endpoint'
import { page, pageOf, paging } from '../paginate'
import { ById } from './relationship-change'

const Tagged = z
  .string()
  .nullish()
  .transform((name) => (name == null || name === '' ? null : normaliseHashtag(name)))

const Input = ById.extend({
  ...paging(20, 40),
  only_media: Flag.default(false),
  exclude_replies: Flag.default(false),
  exclude_reblogs: Flag.default(false),
  exclude_direct: Flag.default(false),
  pinned: Flag.default(false),
  tagged: Tagged,
})

export const accountStatuses = [
  readEndpoint({
    method: 'GET',
    path: '/api/v1/accounts/:id/statuses',
    summary: 'What an account posted',
    auth: anyone('read:statuses'),
    input: Input,
    output: z.array(Status),
    read: (ctx, { input, as, now }) =>
      combineQueries({
        exists: accountExists(ctx, input.id),
        statuses: loadStatuses(ctx, as, selectionOf(as, input, now)),
      }),
    show: ({ config, clock }, { input, request, found }) => {
      if (!found.exists) throw new NotFound()
      return page(presentStatuses({ config, now: clock.now() }, found.statuses), request, {
        cursors: found.statuses.cursors,
        endsEarly: found.statuses.endsEarly,
        limit: input.limit,
      })
    },
  }),
]

function selectionOf(viewer: ViewerRef, input: z.output<typeof Input>, now: Date) {
  if (input.pinned) return pinnedSelection(viewer, input.id, pageOf(input))
  const filter = {
    owner: input.id,
    onlyMedia: input.only_media,
    excludeReplies: input.exclude_replies,
    excludeReblogs: input.exclude_reblogs,
    excludeDirect: input.exclude_direct,
    tagged: input.tagged,
  }
  return accountSelection(viewer, filter, pageOf(input), now)
}
