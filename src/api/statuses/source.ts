import { StatusSource } from '../../contract/entities/status-details'
import { visibleStatus } from '../../domain/statuses/find'
import { NotFound } from '../../errors'
import { user } from '../caller'
import { readEndpoint } from '../endpoint'
import { ById } from './status-change'

export const statusSource = [
  readEndpoint({
    method: 'GET',
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
