import { DeletedStatus } from '../../contract/entities/status'
import { Flag } from '../../contract/scalars'
import { combineQueries, execute } from '../../db/query'
import { viewerById } from '../../domain/core/viewer'
import { ownStatus } from '../../domain/statuses/find'
import { removalFacts } from '../../domain/statuses/find-affected-servers'
import { deleteStatus } from '../../domain/statuses/remove'
import { NotFound } from '../../errors'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { user } from '../caller'
import { endpoint } from '../endpoint'
import { ById } from './status-change'

export const statusDeletion = [
  endpoint({
    method: 'DELETE',
    path: '/api/v1/statuses/:id',
    summary: 'Delete a status; answers its source for a redraft',
    auth: user('write:statuses'),
    limit: 'deletions',
    input: ById.extend({ delete_media: Flag.default(false) }),
    output: DeletedStatus,
    run: async (ctx, { viewer, input }) => {
      const { own, bundle, facts } = await execute(
        ctx.db,
        combineQueries({
          own: ownStatus(ctx, viewer.id, input.id),
          facts: removalFacts(ctx, input.id),
          bundle: loadStatuses(ctx, viewerById(viewer.id), statusesById([input.id]), 'blank'),
        }),
      )
      if (own === null) throw new NotFound()
      const shown = presentOnlyStatus({ config: ctx.config, now: ctx.clock.now() }, bundle)
      await deleteStatus(ctx, viewer, { ...facts, status: own, withMedia: input.delete_media })
      const { content: _content, ...rest } = shown
      return { ...rest, text: own.text }
    },
  }),
]
