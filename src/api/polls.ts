import * as z from 'zod'
import { Poll } from '../contract/entities/status'
import { Id, Int } from '../contract/scalars'
import { execute } from '../db/query'
import { type Viewer, viewerById } from '../domain/core/viewer'
import { statusOfPoll } from '../domain/polls/find'
import { requestPollRefresh, voteInPoll } from '../domain/polls/vote'
import { mayTriggerFetches } from '../domain/sessions/find'
import { BadRequest } from '../errors'
import type { PollId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { loadStatuses } from '../view/load/statuses'
import { presentOnlyPoll } from '../view/present/status'
import { anyone, endpoint, readEndpoint, user } from './endpoint'

const ById = z.object({ id: Id })

const Choices = z.preprocess(
  (sent) => (sent === undefined || sent === null || sent === '' ? [] : Array.isArray(sent) ? sent : [sent]),
  z.array(Int.nonoptional()).transform((choices) => [...new Set(choices)]),
)

export const polls = [
  readEndpoint({
    path: '/api/v1/polls/:id',
    summary: 'A poll',
    auth: anyone('read:statuses'),
    input: ById,
    output: Poll,
    read: (ctx, { input, as }) => loadStatuses(ctx, as, statusOfPoll(input.id)),
    show: (ctx, { found, caller }) => {
      const [id] = found.ids
      const facts = id === undefined ? undefined : found.statuses.get(id)
      if (mayTriggerFetches(caller) && facts?.poll != null)
        requestPollRefresh(ctx, { status: facts.status, poll: facts.poll })
      return presentOnlyPoll({ config: ctx.config, now: ctx.clock.now() }, found)
    },
  }),
  endpoint({
    path: '/api/v1/polls/:id/votes',
    summary: 'Vote in a poll',
    auth: user('write:statuses'),
    input: ById.extend({ choices: Choices }),
    output: Poll,
    run: async (ctx, { viewer, input }) => {
      if (input.choices.length === 0) throw new BadRequest('parameter_missing', { name: 'choices' })
      await voteInPoll(ctx, viewer, input)
      return pollFor(ctx, viewer, input.id)
    },
  }),
]

async function pollFor(ctx: Ctx, viewer: Viewer, id: PollId) {
  const bundle = await execute(ctx.db, loadStatuses(ctx, viewerById(viewer.id), statusOfPoll(id)))
  return presentOnlyPoll({ config: ctx.config, now: ctx.clock.now() }, bundle)
}
