import * as z from 'zod'
import { DeletedStatus, Status } from '../../contract/entities/status'
import { StatusEdit } from '../../contract/entities/status-details'
import { QuotePolicy } from '../../contract/entities/visibility'
import { Flag, Id, OptionalIdList, OptionalText, Upload } from '../../contract/scalars'
import { combineQueries, execute } from '../../db/query'
import { viewerById } from '../../domain/core/viewer'
import { ownStatus } from '../../domain/statuses/find'
import { removalFacts } from '../../domain/statuses/find-affected-servers'
import { deleteStatus } from '../../domain/statuses/remove'
import { reviseStatus } from '../../domain/statuses/revise'
import { NotFound } from '../../errors'
import { knownLanguage } from '../../lib/language'
import { loadEdits } from '../../view/load/status-parts'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { presentEdits } from '../../view/present/status-details'
import { anyone, endpoint, readEndpoint, updateEndpoints, user } from '../endpoint'
import { orNothing, PollInput, pollDraft } from './create'
import { ById, statusFor } from './interactions'

const Words = z.object({
  id: Id,
  description: z.string().nullish(),
  focus: z.string().nullish(),
  // Video and audio only; pictures make their own.
  thumbnail: Upload,
})

const Input = ById.extend({
  status: OptionalText,
  spoiler_text: OptionalText,
  sensitive: Flag,
  language: z
    .unknown()
    .optional()
    .transform((sent) => (typeof sent === 'string' ? (knownLanguage(sent) ?? undefined) : undefined)),
  media_ids: OptionalIdList,
  media_attributes: z.array(Words).default([]),
  poll: orNothing(PollInput),
  quote_approval_policy: orNothing(QuotePolicy),
})
type Input = z.output<typeof Input>

const edits = updateEndpoints({
  path: '/api/v1/statuses/:id',
  summary: 'Change what a status says',
  auth: user('write:statuses'),
  limit: 'statuses',
  takesFiles: true,
  input: Input,
  output: Status,
  run: async (ctx, { input, viewer }) => {
    await reviseStatus(ctx, viewer, { id: input.id, revision: toRevision(input) })
    return statusFor(ctx, viewer, statusesById([input.id]))
  },
})

/**
 * Forms cannot send an empty list: a text without files or poll removes them, as in Mastodon. A request that only
 * changes the quote policy changes nothing else.
 */
function toRevision(input: Input) {
  const { status, spoiler_text, media_ids, media_attributes, poll, sensitive, language } = input
  const rewrites = status !== undefined
  return {
    text: status,
    spoilerText: spoiler_text,
    sensitive,
    language,
    mediaIds: media_ids ?? (rewrites ? [] : undefined),
    mediaWords: media_attributes.map(({ focus, ...words }) => ({ ...words, focus: focus ?? undefined })),
    poll: poll === undefined ? (rewrites ? null : undefined) : pollDraft(poll),
    quotePolicy: input.quote_approval_policy,
  }
}

const history = readEndpoint({
  path: '/api/v1/statuses/:id/history',
  summary: 'All versions of a status, oldest first',
  auth: anyone('read:statuses'),
  input: ById,
  output: z.array(StatusEdit),
  read: (ctx, { input, as }) =>
    combineQueries({
      statuses: loadStatuses(ctx, as, statusesById([input.id])),
      edits: loadEdits(ctx, input.id),
    }),
  show: ({ config, clock }, { input, found }) => {
    const shown = found.statuses.statuses.get(input.id)
    if (shown === undefined || !found.statuses.ids.includes(input.id)) throw new NotFound()
    const showing = { config, now: clock.now() }
    const { quote } = presentOnlyStatus(showing, found.statuses)
    return presentEdits(showing, shown, found.edits, quote)
  },
})

export const statusEdits = [...edits, history]

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
