import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { Reaction } from '../../contract/entities/custom-emoji'
import { Status } from '../../contract/entities/status'
import { combineQueries } from '../../db/query'
import { reactionChoices, reactorsOf } from '../../domain/interactions/find-accounts'
import { reactToStatus, unreactToStatus } from '../../domain/interactions/react'
import { loadAccounts } from '../../view/load/accounts'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentAccount } from '../../view/present/account'
import { presentOnlyStatus } from '../../view/present/status'
import { anyone, user } from '../caller'
import { type Endpoint, endpoint, readEndpoint } from '../endpoint'
import { ById, statusFor } from './status-change'

const Reacting = ById.extend({ name: z.string().min(1).max(400) })
const PleromaReacting = ById.extend({ emoji: Reacting.shape.name })
const auth = user('write:favourites')

/** Extensions: the routes of Glitch and of Pleroma, for clients that know either. */
export const statusReactions: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/api/v1/statuses/:id/react/:name',
    summary: 'React to a status with an emoji',
    auth,
    input: Reacting,
    output: Status,
    run: async (ctx, { viewer, input }) => {
      await reactToStatus(ctx, viewer, input)
      return statusFor(ctx, viewer, statusesById([input.id]))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/api/v1/statuses/:id/unreact/:name',
    summary: 'Take a reaction back',
    auth,
    input: Reacting,
    output: Status,
    run: async (ctx, { viewer, input }) => {
      await unreactToStatus(ctx, viewer, input)
      return statusFor(ctx, viewer, statusesById([input.id]), 'blank')
    },
  }),
  endpoint({
    method: 'PUT',
    path: '/api/v1/pleroma/statuses/:id/reactions/:emoji',
    summary: 'React to a status with an emoji, as Pleroma has it',
    auth,
    input: PleromaReacting,
    output: Status,
    run: async (ctx, { viewer, input: { id, emoji } }) => {
      await reactToStatus(ctx, viewer, { id, name: emoji })
      return statusFor(ctx, viewer, statusesById([id]))
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/pleroma/statuses/:id/reactions/:emoji',
    summary: 'Take a reaction back, as Pleroma has it',
    auth,
    input: PleromaReacting,
    output: Status,
    run: async (ctx, { viewer, input: { id, emoji } }) => {
      await unreactToStatus(ctx, viewer, { id, name: emoji })
      return statusFor(ctx, viewer, statusesById([id]), 'blank')
    },
  }),
  readEndpoint({
    method: 'GET',
    path: '/api/v1/pleroma/statuses/:id/reactions',
    summary: 'Who reacted to a status with what, as Pleroma has it',
    auth: anyone('read:statuses'),
    input: ById,
    output: z.array(Reaction.extend({ accounts: z.array(Account) })),
    read: (ctx, { input: { id }, as, now }) =>
      combineQueries({
        status: loadStatuses(ctx, as, statusesById([id])),
        choices: reactionChoices(ctx, id),
        people: loadAccounts(ctx, reactorsOf({ viewer: as, id, now })),
      }),
    show: ({ config, clock }, { found: { status, choices, people } }) => {
      const { reactions = [] } = presentOnlyStatus({ config, now: clock.now() }, status)
      const by = (name: string) => choices.filter((choice) => choice.name === name)
      return reactions.map((reaction) => ({
        ...reaction,
        accounts: by(reaction.name)
          .filter(({ accountId }) => people.accounts.has(accountId))
          .map(({ accountId }) => presentAccount(config, people, accountId)),
      }))
    },
  }),
]
