import { notificationTypes } from '../contract/notification-kinds'
import { combineQueries, constant, type Query } from '../db/query'
import { unreadConversations } from '../domain/conversations/find'
import { viewerByCredential } from '../domain/core/viewer'
import { unreadCount } from '../domain/notifications/find'
import type { Ctx } from '../ports/ctx'

/** Unread entries of places, which the navigation counts. */
export interface Unread {
  readonly notifications: number
  readonly conversations: number
}

export const nothingUnread: Unread = { notifications: 0, conversations: 0 }

const mostCounted = { notifications: 100, conversations: 20 } as const

/** The counts of the navigation: notifications behind the marker, and unread conversations. */
export function unreadOf(ctx: Ctx, sessionHash: string | null): Query<Unread> {
  if (sessionHash === null) return constant(nothingUnread)
  const as = viewerByCredential({ kind: 'session', hash: sessionHash })
  const filter = { types: notificationTypes, limit: mostCounted.notifications }
  return combineQueries({
    notifications: unreadCount(ctx, as, filter),
    conversations: unreadConversations(ctx, as, mostCounted.conversations),
  })
}
