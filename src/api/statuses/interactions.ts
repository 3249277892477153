import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import { Account } from '../../contract/entities/account'
import { Reaction } from '../../contract/entities/custom-emoji'
import { Status } from '../../contract/entities/status'
import { Id } from '../../contract/scalars'
import { combineQueries, execute, map } from '../../db/query'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import {
  bookmarkStatus,
  favouriteStatus,
  unbookmarkStatus,
  unfavouriteStatus,
} from '../../domain/interactions/favourite'
import {
  favouritersOf,
  reactionChoices,
  reactorsOf,
  visibleRebloggersOf,
} from '../../domain/interactions/find-accounts'
import { muteConversation, unmuteConversation } from '../../domain/interactions/mute'
import { pinStatus, unpinStatus } from '../../domain/interactions/pin'
import { reactToStatus, unreactToStatus } from '../../domain/interactions/react'
import { reblogStatus, unreblogStatus } from '../../domain/interactions/reblog'
import type { Scope } from '../../domain/sessions/scopes'
import { ownReblogSelection, visibleStatus } from '../../domain/statuses/find'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { RateFamily } from '../../ports/rate-limits'
import { loadAccounts } from '../../view/load/accounts'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentAccount } from '../../view/present/account'
import { presentOnlyStatus } from '../../view/present/status'
import { anyone, type Endpoint, endpoint, readEndpoint, user } from '../endpoint'
import { type RelationList, relationList } from '../paginate'

const exists: RelationList['exists'] = (ctx, as, id) =>
  map(visibleStatus(ctx, as, id), (status) => status !== null)

const lists: readonly Omit<RelationList, 'exists'>[] = [
  { path: '/api/v1/statuses/:id/favourited_by', summary: 'Who favourites a status', select: favouritersOf },
  { path: '/api/v1/statuses/:id/reblogged_by', summary: 'Who reblogs a status', select: visibleRebloggersOf },
]

export const interactingAccounts = lists.map((list) => relationList({ ...list, exists }))

export const ById = z.object({ id: Id })

/** The selected status as `viewer` now sees it: the response to commands. One round trip. */
export async function statusFor(
  ctx: Ctx,
  viewer: Viewer,
  selection: SQL,
  hidden: 'drop' | 'blank' = 'drop',
): Promise<Status> {
  const bundle = await execute(ctx.db, loadStatuses(ctx, viewerById(viewer.id), selection, hidden))
  return presentOnlyStatus({ config: ctx.config, now: ctx.clock.now() }, bundle)
}

interface Change {
  readonly path: `/${string}`
  readonly summary: string
  readonly scope: Scope
  readonly limit?: RateFamily
  /** Undoing an interaction returns a blank status even if the author has hidden it since. */
  readonly hidden?: 'blank'
  make(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<unknown>
}

/** Declares a route that changes something between the viewer and the status `id`, and returns that status. */
function statusChange({ path, summary, scope, limit, hidden, make }: Change): Endpoint {
  return endpoint({
    path,
    summary,
    ...(limit === undefined ? {} : { limit }),
    auth: user(scope),
    input: ById,
    output: Status,
    run: async (ctx, { viewer, input }) => {
      await make(ctx, viewer, input.id)
      return statusFor(ctx, viewer, statusesById([input.id]), hidden)
    },
  })
}

const Reacting = ById.extend({ name: z.string().min(1).max(400) })
const PleromaReacting = ById.extend({ emoji: Reacting.shape.name })
const auth = user('write:favourites')

/** Extensions: the routes of Glitch and of Pleroma, for clients that know either. */
export const statusReactions: readonly Endpoint[] = [
  endpoint({
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

const ReblogVisibility = z.preprocess(
  (sent) => (sent === '' || sent === null ? undefined : sent),
  z.enum(['public', 'unlisted', 'private']).optional(),
)

export const statusInteractions = [
  statusChange({
    path: '/api/v1/statuses/:id/favourite',
    summary: 'Favourite a status',
    scope: 'write:favourites',
    make: favouriteStatus,
  }),
  statusChange({
    path: '/api/v1/statuses/:id/unfavourite',
    summary: 'Take a favourite back',
    scope: 'write:favourites',
    hidden: 'blank',
    make: unfavouriteStatus,
  }),
  endpoint({
    path: '/api/v1/statuses/:id/reblog',
    summary: 'Reblog a status; answers the reblog',
    auth: user('write:statuses'),
    limit: 'statuses',
    input: ById.extend({ visibility: ReblogVisibility }),
    output: Status,
    run: async (ctx, { viewer, input }) => {
      const original = await reblogStatus(ctx, viewer, input)
      return statusFor(ctx, viewer, ownReblogSelection(viewer.id, original))
    },
  }),
  endpoint({
    path: '/api/v1/statuses/:id/unreblog',
    summary: 'Take a reblog back; answers the original',
    auth: user('write:statuses'),
    limit: 'deletions',
    input: ById,
    output: Status,
    run: async (ctx, { viewer, input }) => {
      const original = await unreblogStatus(ctx, viewer, input.id)
      return statusFor(ctx, viewer, statusesById([original]), 'blank')
    },
  }),
  statusChange({
    path: '/api/v1/statuses/:id/bookmark',
    summary: 'Bookmark a status',
    scope: 'write:bookmarks',
    make: bookmarkStatus,
  }),
  statusChange({
    path: '/api/v1/statuses/:id/unbookmark',
    summary: 'Take a bookmark back',
    scope: 'write:bookmarks',
    hidden: 'blank',
    make: unbookmarkStatus,
  }),
  statusChange({
    path: '/api/v1/statuses/:id/pin',
    summary: 'Pin a status to the own profile',
    scope: 'write:accounts',
    make: pinStatus,
  }),
  statusChange({
    path: '/api/v1/statuses/:id/unpin',
    summary: 'Take a pin back',
    scope: 'write:accounts',
    make: unpinStatus,
  }),
  statusChange({
    path: '/api/v1/statuses/:id/mute',
    summary: 'Silence the notifications from a conversation',
    scope: 'write:mutes',
    make: muteConversation,
  }),
  statusChange({
    path: '/api/v1/statuses/:id/unmute',
    summary: 'Let notifications from a conversation through again',
    scope: 'write:mutes',
    make: unmuteConversation,
  }),
]
