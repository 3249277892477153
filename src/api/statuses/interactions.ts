import * as z from 'zod'
import { Status } from '../../contract/entities/status'
import {
  bookmarkStatus,
  favouriteStatus,
  unbookmarkStatus,
  unfavouriteStatus,
} from '../../domain/interactions/favourite'
import { muteConversation, unmuteConversation } from '../../domain/interactions/mute'
import { pinStatus, unpinStatus } from '../../domain/interactions/pin'
import { reblogStatus, unreblogStatus } from '../../domain/interactions/reblog'
import { ownReblogSelection } from '../../domain/statuses/find'
import { statusesById } from '../../view/load/statuses'
import { user } from '../caller'
import { endpoint } from '../endpoint'
import { ById, statusChange, statusFor } from './status-change'

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
    method: 'POST',
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
    method: 'POST',
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
