import { all, combineQueries, constant, map, type Query } from '../db/query'
import { conversationsOfMany } from '../domain/conversations/entries'
import { messagesById } from '../domain/crypto/find'
import { notificationsOfMany } from '../domain/notifications/find'
import type { AccountId, StatusId } from '../lib/ids'
import type { LiveEvent } from '../messages/live'
import type { Ctx } from '../ports/ctx'
import type { Subscriber } from '../ports/services'
import { type AnnouncementFacts, loadAnnouncementOfMany } from '../view/load/announcements'
import { type ConversationBundle, loadConversationsOfMany } from '../view/load/conversations'
import { loadNotificationsOfMany, type NotificationBundle } from '../view/load/notifications'
import { loadForReaders, type Reader, type StatusBundles, statusesFor } from '../view/load/readers'

/** A live event with its subscribers at the time it happened. */
export interface PublishedEvent {
  readonly news: LiveEvent
  readonly audience: readonly Subscriber[]
}

type ByOwner<T> = ReadonlyMap<AccountId, T>

/** Facts for every message and recipient. Deleted items are absent. */
export interface MessageFacts {
  readonly statuses: StatusBundles
  /** By the id of their last status. */
  readonly conversations: ReadonlyMap<StatusId, ByOwner<ConversationBundle>>
  readonly notifications: ByOwner<NotificationBundle>
  readonly announcements: ReadonlyMap<number, ByOwner<AnnouncementFacts>>
  readonly encrypted: readonly EncryptedFacts[]
}

type EncryptedFacts = ReturnType<typeof messagesById> extends Query<readonly (infer One)[]> ? One : never

/**
 * Loads the facts of several events for every subscriber in one round trip; none if the messages show nothing.
 */
export function loadMessageFacts(ctx: Ctx, events: readonly PublishedEvent[]): Query<MessageFacts> {
  const pairs = events.flatMap(statusesIn)
  const notificationIds = events.flatMap(({ news }) => (news.kind === 'notifications.made' ? news.ids : []))
  const owners = subscribersOf(events.filter(({ news }) => news.kind === 'notifications.made'))
  const encryptedIds = events.flatMap(({ news, audience }) =>
    news.kind === 'messages.encrypted' && audience.length > 0 ? news.ids : [],
  )
  return combineQueries({
    statuses: pairs.length === 0 ? constant(new Map()) : loadForReaders(ctx, statusesFor(pairs)),
    conversations: byId(events.flatMap((one) => conversationsIn(ctx, one))),
    notifications:
      owners.length === 0
        ? constant(new Map())
        : loadNotificationsOfMany(ctx, notificationsOfMany(notificationIds, owners)),
    announcements: byId(events.flatMap((one) => announcementsIn(ctx, one))),
    encrypted: encryptedIds.length === 0 ? constant([]) : messagesById(ctx, encryptedIds),
  })
}

/** The accounts among the subscribers. */
export function subscribersOf(events: readonly PublishedEvent[], channel?: string): readonly AccountId[] {
  const subscribers = events.flatMap(({ audience }) => audience)
  const matching = subscribers.filter((one) => channel === undefined || one.channel === channel)
  return [...new Set(matching.flatMap(({ accountId }) => accountId ?? []))]
}

function statusesIn({
  news,
  audience,
}: PublishedEvent): readonly { readonly id: StatusId; readonly reader: Reader }[] {
  if (news.kind !== 'status.posted' && news.kind !== 'status.edited') return []
  const readers = audience.filter(({ channel }) => channel !== 'direct').map(({ accountId }) => accountId)
  return [...new Set(readers)].map((reader) => ({ id: news.statusId, reader }))
}

type Identified<T> = Query<readonly [number, ByOwner<T>]>

function conversationsIn(ctx: Ctx, event: PublishedEvent): Identified<ConversationBundle>[] {
  const { news } = event
  if (news.kind !== 'status.posted') return []
  const owners = subscribersOf([event], 'direct')
  if (owners.length === 0) return []
  const found = loadConversationsOfMany(ctx, conversationsOfMany(news.statusId, owners))
  return [map(found, (bundles) => [news.statusId, bundles])]
}

function announcementsIn(ctx: Ctx, event: PublishedEvent): Identified<AnnouncementFacts>[] {
  const { news } = event
  if (news.kind !== 'announcement.published' && news.kind !== 'announcement.reacted') return []
  const readers = subscribersOf([event])
  // Reaction counts are the same for every reader.
  const loadFor = news.kind === 'announcement.published' ? readers : readers.slice(0, 1)
  const found = loadAnnouncementOfMany(ctx, news.announcementId, loadFor)
  return [map(found, (facts) => [news.announcementId, facts])]
}

function byId<T>(found: readonly Identified<T>[]): Query<ReadonlyMap<number, ByOwner<T>>> {
  return map(all(found), (entries) => new Map(entries))
}
