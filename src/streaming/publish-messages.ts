import type { AccountId, NotificationId, StatusId } from '../lib/ids'
import { cleanJson } from '../lib/json'
import type { Ctx } from '../ports/ctx'
import { filterableOf } from '../view/load/filters'
import type { StatusBundle, StatusFacts } from '../view/load/statuses'
import { presentAnnouncement, presentReactionEvent } from '../view/present/announcement'
import { presentEncryptedMessage } from '../view/present/crypto'
import { presentNotification } from '../view/present/notification'
import { type PresentContext, presentStatus } from '../view/present/status'
import { presentConversations } from '../view/present/timelines'
import type { MessageSubject, StatusInPayload, StreamMessage } from './messages'
import { type MessageFacts, type PublishedEvent, subscribersOf } from './publish-facts'

/** A message with its recipient; null for a shared stream, the one channel it names. */
export interface AddressedMessage {
  readonly to: AccountId | null
  readonly message: StreamMessage
}

/** A live event with everything its messages show. */
interface EventContext {
  readonly ctx: Ctx
  readonly facts: MessageFacts
  readonly published: PublishedEvent
}

/**
 * Builds the messages of an event for each stream. Items the subscriber may not see, or deleted ones, yield
 * none.
 */
export function messagesOf(
  ctx: Ctx,
  facts: MessageFacts,
  published: PublishedEvent,
): readonly AddressedMessage[] {
  const context = { ctx, facts, published }
  const { news } = published
  switch (news.kind) {
    case 'status.posted':
      // However it reaches a stream, it is published once.
      return [
        ...statusMessages(context, news.statusId, { event: 'update', key: `update ${news.statusId}` }),
        ...conversationMessages(context, news.statusId),
      ]
    case 'status.edited':
      return statusMessages(context, news.statusId, withFreshKey(ctx, 'status.update'))
    case 'status.removed':
      return removalMessages(published, String(news.statusId))
    case 'notifications.made':
      return notificationMessages(context, news.ids)
    case 'notifications.merged':
      return addressToSubscribers(
        published,
        ['user', 'user:notification'],
        plain(withFreshKey(ctx, 'notifications_merged'), '1'),
      )
    case 'messages.encrypted':
      return encryptedMessages(context, news.ids)
    case 'filters.changed':
      return addressToSubscribers(published, ['user'], plain(withFreshKey(ctx, 'filters_changed'), null))
    case 'announcement.published':
      return announcementMessages(context, news.announcementId)
    case 'announcement.reacted':
      return reactionMessages(context, news.announcementId, news.name)
    case 'announcement.removed':
      return addressToSubscribers(
        published,
        ['user'],
        plain(withFreshKey(ctx, 'announcement.delete'), String(news.announcementId)),
      )
    case 'rules.changed':
    case 'standing.changed':
    case 'feeds.changed':
    case 'sessions.ended':
      return []
  }
}

type KeyedEvent<E extends StreamMessage['event']> = { readonly event: E; readonly key: string }

/** Keys events that may happen again uniquely. */
function withFreshKey<E extends StreamMessage['event']>({ ids }: Ctx, event: E): KeyedEvent<E> {
  return { event, key: `${event} ${ids.next()}` }
}

type Content = Omit<StreamMessage, 'channels'>

function plain(event: KeyedEvent<StreamMessage['event']>, payload: string | null): Content {
  return { ...event, payload, about: null }
}

function addressToSubscribers(
  published: PublishedEvent,
  channels: readonly string[],
  content: Content,
): readonly AddressedMessage[] {
  return subscribersOf([published]).map((to) => ({ to, message: { ...content, channels } }))
}

interface MessageTarget {
  readonly to: AccountId | null
  readonly channels: readonly string[]
}

/** Recipients with their channels: each account once, each shared stream by itself. */
function targetsOf({ audience }: PublishedEvent): readonly MessageTarget[] {
  const subscribers = audience.filter(({ channel }) => channel !== 'direct')
  const shared = new Set(subscribers.flatMap(({ accountId, channel }) => (accountId === null ? channel : [])))
  const accounts = Map.groupBy(
    subscribers.filter(({ accountId }) => accountId !== null),
    ({ accountId }) => accountId,
  )
  return [
    ...[...accounts].map(([to, own]) => ({ to, channels: own.map(({ channel }) => channel) })),
    ...[...shared].map((channel) => ({ to: null, channels: [channel] })),
  ]
}

function showingOf({ config, clock }: Ctx): PresentContext {
  return { config, now: clock.now() }
}

function statusMessages(
  { ctx, facts, published }: EventContext,
  id: StatusId,
  event: KeyedEvent<'update' | 'status.update'>,
): readonly AddressedMessage[] {
  const showing = showingOf(ctx)
  return targetsOf(published).flatMap(({ to, channels }) => {
    const bundle = facts.statuses.get(to)
    const about = bundle?.ids.includes(id) ? subjectOfStatus(bundle, id) : null
    if (bundle === undefined || about === null) return []
    const payload = cleanJson(presentStatus(showing, bundle, id))
    return [{ to, message: { ...event, payload, about, channels } }]
  })
}

function removalMessages(published: PublishedEvent, id: string): readonly AddressedMessage[] {
  const content = plain({ event: 'delete', key: `delete ${id}` }, id)
  return targetsOf(published).map(({ to, channels }) => ({ to, message: { ...content, channels } }))
}

function conversationMessages({ ctx, facts }: EventContext, statusId: StatusId): readonly AddressedMessage[] {
  const owners = [...(facts.conversations.get(statusId) ?? [])]
  return owners.flatMap(([to, bundle]) => {
    const event = { event: 'conversation', key: `conversation ${statusId}` } as const
    const about = subjectOfStatus(bundle.statuses, statusId, ['last_status'])
    return presentConversations(showingOf(ctx), bundle).map((entity) => {
      return { to, message: { ...event, payload: cleanJson(entity), about, channels: ['direct'] } }
    })
  })
}

function notificationMessages(
  { ctx, facts, published }: EventContext,
  ids: readonly NotificationId[],
): readonly AddressedMessage[] {
  const wanted = new Set(ids)
  return targetsOf(published).flatMap(({ to, channels }) => {
    const bundle = to === null ? undefined : facts.notifications.get(to)
    if (bundle === undefined) return []
    const own = bundle.notifications.filter(({ notification }) => wanted.has(notification.id))
    // In the order they were created.
    return own.toReversed().map((one) => {
      const { id, statusId } = one.notification
      const payload = cleanJson(presentNotification(showingOf(ctx), bundle, one))
      const about = subjectOfNotification(bundle.statuses, one.sender, statusId)
      return { to, message: { key: `notification ${id}`, event: 'notification', payload, about, channels } }
    })
  })
}

/** Addresses each message to the one device that can decrypt it. */
function encryptedMessages(
  { facts, published }: EventContext,
  ids: readonly number[],
): readonly AddressedMessage[] {
  const connected = subscribersOf([published])
  return facts.encrypted
    .filter(({ id, accountId }) => ids.includes(id) && connected.includes(accountId))
    .map((waiting) => {
      const event = { event: 'encrypted_message', key: `encrypted_message ${waiting.id}` } as const
      const content = plain(event, cleanJson(presentEncryptedMessage(waiting)))
      return { to: waiting.accountId, message: { ...content, channels: ['user'], tokenId: waiting.tokenId } }
    })
}

function announcementMessages(
  { ctx, facts, published }: EventContext,
  id: number,
): readonly AddressedMessage[] {
  const event = withFreshKey(ctx, 'announcement')
  return targetsOf(published).flatMap(({ to, channels }) => {
    const announcement = to === null ? undefined : facts.announcements.get(id)?.get(to)
    if (announcement === undefined) return []
    const payload = cleanJson(presentAnnouncement(ctx.config, announcement))
    return [{ to, message: { ...plain(event, payload), channels } }]
  })
}

function reactionMessages(
  { ctx, facts, published }: EventContext,
  id: number,
  name: string,
): readonly AddressedMessage[] {
  const [announcement] = facts.announcements.get(id)?.values() ?? []
  if (announcement === undefined) return []
  const payload = cleanJson(presentReactionEvent(ctx.config, announcement, name))
  return addressToSubscribers(published, ['user'], plain(withFreshKey(ctx, 'announcement.reaction'), payload))
}

/** Rule and filter subject of a status of the bundle, found in the payload behind the keys `at`. */
export function subjectOfStatus(
  bundle: StatusBundle,
  id: StatusId,
  at: readonly string[] = [],
): MessageSubject | null {
  const facts = bundle.statuses.get(id)
  if (facts === undefined) return null
  const shared = sharedBy(bundle, facts)
  const people = [facts, ...(shared === null ? [] : [shared])].map(({ author }) => ({
    id: author.id,
    domain: author.domain,
    isAuthor: true,
  }))
  return { people, language: facts.status.language, statuses: statusesIn(bundle, facts, at) }
}

/** Subject of a notification caused by `sender`; its status, if any, is in the payload as `status`. */
export function subjectOfNotification(
  bundle: StatusBundle,
  sender: { readonly id: number; readonly domain: string | null },
  statusId: StatusId | null,
): MessageSubject {
  const facts = statusId === null ? undefined : bundle.statuses.get(statusId)
  const isAuthor = facts?.author.id === sender.id
  return {
    people: [{ id: sender.id, domain: sender.domain, isAuthor }],
    language: null,
    statuses: facts === undefined ? [] : statusesIn(bundle, facts, ['status']),
  }
}

function sharedBy(bundle: StatusBundle, { status }: StatusFacts): StatusFacts | null {
  return (status.reblogOfId === null ? undefined : bundle.statuses.get(status.reblogOfId)) ?? null
}

/** The statuses nested in a presented status: itself, the reblogged one, and the quoted one. */
function statusesIn(bundle: StatusBundle, facts: StatusFacts, at: readonly string[]): StatusInPayload[] {
  const { id } = facts.status
  const shared = sharedBy(bundle, facts)
  if (shared !== null) {
    const outer = { ...statusInPayload(shared, at), ids: [id, shared.status.id] }
    return [outer, ...statusesIn(bundle, shared, [...at, 'reblog'])]
  }
  const quoted = facts.quote?.quotedId == null ? undefined : bundle.statuses.get(facts.quote.quotedId)
  const inner = quoted === undefined ? [] : [statusInPayload(quoted, [...at, 'quote', 'quoted_status'])]
  return [statusInPayload(facts, at), ...inner]
}

function statusInPayload(facts: StatusFacts, at: readonly string[]): StatusInPayload {
  const { id, domain } = facts.author
  return { at, author: { id, domain }, ids: [facts.status.id], ...filterableOf(facts) }
}
