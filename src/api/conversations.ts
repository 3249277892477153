import * as z from 'zod'
import { Conversation } from '../contract/entities/timelines'
import { Id } from '../contract/scalars'
import { execute } from '../db/query'
import {
  conversationPage,
  markConversation,
  oneConversation,
  removeConversation,
} from '../domain/conversations/entries'
import { type Viewer, viewerById } from '../domain/core/viewer'
import type { Ctx } from '../ports/ctx'
import { loadConversations } from '../view/load/conversations'
import { presentConversations, presentOnlyConversation } from '../view/present/timelines'
import { type Endpoint, endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

export const conversations = [
  readEndpoint({
    path: '/api/v1/conversations',
    summary: "The viewer's direct statuses, by whom they are shared with",
    auth: user('read:statuses'),
    input: z.object(paging(20, 40)),
    output: z.array(Conversation),
    read: (ctx, { input, as }) => loadConversations(ctx, as, conversationPage(as, pageOf(input))),
    show: ({ config, clock }, { input, request, found }) =>
      page(presentConversations({ config, now: clock.now() }, found), request, {
        cursors: found.statuses.cursors,
        endsEarly: found.statuses.endsEarly,
        limit: input.limit,
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/conversations/:id',
    summary: 'Removes a conversation from the list',
    auth: user('write:conversations'),
    input: z.object({ id: Id }),
    run: (ctx, { viewer, input }) => removeConversation(ctx, viewer, input.id),
  }),
  marking('/api/v1/conversations/:id/read', false),
  marking('/api/v1/conversations/:id/unread', true),
]

function marking(path: `/${string}`, unread: boolean): Endpoint {
  return endpoint({
    path,
    summary: unread ? 'Marks a conversation as still to be read' : 'Marks a conversation as read',
    auth: user('write:conversations'),
    input: z.object({ id: Id }),
    output: Conversation,
    run: async (ctx, { viewer, input: { id } }) => {
      await markConversation(ctx, viewer, { id, unread })
      return conversationFor(ctx, viewer, id)
    },
  })
}

async function conversationFor(ctx: Ctx, viewer: Viewer, id: number): Promise<Conversation> {
  const me = viewerById(viewer.id)
  const found = await execute(ctx.db, loadConversations(ctx, me, oneConversation(me, id)))
  return presentOnlyConversation({ config: ctx.config, now: ctx.clock.now() }, found)
}
