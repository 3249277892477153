import type { AccountId, NotificationId, StatusId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import { presentAnnouncement, presentReactionNews } from '../view/present/announcement'
import { presentConversations } from '../view/present/conversation'
import { presentEncryptedMessage } from '../view/present/crypto'
import { presentNotification } from '../view/present/notification'
import { presentStatus, type Showing } from '../view/present/status'
import { aboutNotice, aboutStatus } from './about'
import type { Message } from './messages'
import { type Facts, listenersOf, type Told } from './publish-facts'

/** A message and for whom it is; no account stands for a shared stream, the one channel it names. */
export interface Addressed {
  readonly to: AccountId | null
  readonly message: Message
}

/** One piece of news, with all that there is to say of it. */
interface Telling {
  readonly ctx: Ctx
  readonly facts: Facts
  readonly told: Told
}

/** What news say on which streams. Nothing is said of what a listener may not see, or what is gone by now. */
export function messagesOf(ctx: Ctx, facts: Facts, told: Told): readonly Addressed[] {
  const telling = { ctx, facts, told }
  const { news } = told
  switch (news.kind) {
    case 'status.posted':
      // However it reaches a stream, it is posted once.
      return [
        ...statusMessages(telling, news.statusId, { event: 'update', key: `update ${news.statusId}` }),
        ...conversationMessages(telling, news.statusId),
      ]
    case 'status.edited':
      return statusMessages(telling, news.statusId, named(ctx, 'status.update'))
    case 'status.removed':
      return removalMessages(told, String(news.statusId))
    case 'notifications.made':
      return notificationMessages(telling, news.ids)
    case 'notifications.merged':
      return toAll(told, ['user', 'user:notification'], plain(named(ctx, 'notifications_merged'), '1'))
    case 'messages.encrypted':
      return encryptedMessages(telling, news.ids)
    case 'filters.changed':
      return toAll(told, ['user'], plain(named(ctx, 'filters_changed'), null))
    case 'announcement.published':
      return announcementMessages(telling, news.announcementId)
    case 'announcement.reacted':
      return reactionMessages(telling, news.announcementId, news.name)
    case 'announcement.removed':
      return toAll(told, ['user'], plain(named(ctx, 'announcement.delete'), String(news.announcementId)))
    case 'rules.changed':
    case 'standing.changed':
    case 'feeds.changed':
    case 'sessions.ended':
      return []
  }
}

type Named<E extends Message['event']> = { readonly event: E; readonly key: string }

/** What may happen again has another key each time. */
function named<E extends Message['event']>({ ids }: Ctx, event: E): Named<E> {
  return { event, key: `${event} ${ids.next()}` }
}

type Content = Omit<Message, 'channels'>

function plain(event: Named<Message['event']>, payload: string | null): Content {
  return { ...event, payload, about: null }
}

function toAll(told: Told, channels: readonly string[], content: Content): readonly Addressed[] {
  return listenersOf([told]).map((to) => ({ to, message: { ...content, channels } }))
}

interface Target {
  readonly to: AccountId | null
  readonly channels: readonly string[]
}

/** Whoever listens, with the streams it is on: one person once, each shared stream by itself. */
function targetsOf({ audience }: Told): readonly Target[] {
  const heard = audience.filter(({ channel }) => channel !== 'direct')
  const shared = new Set(heard.flatMap(({ accountId, channel }) => (accountId === null ? channel : [])))
  const people = Map.groupBy(
    heard.filter(({ accountId }) => accountId !== null),
    ({ accountId }) => accountId,
  )
  return [
    ...[...people].map(([to, own]) => ({ to, channels: own.map(({ channel }) => channel) })),
    ...[...shared].map((channel) => ({ to: null, channels: [channel] })),
  ]
}

function showingOf({ config, clock }: Ctx): Showing {
  return { config, now: clock.now() }
}

function statusMessages(
  { ctx, facts, told }: Telling,
  id: StatusId,
  event: Named<'update' | 'status.update'>,
): readonly Addressed[] {
  const showing = showingOf(ctx)
  return targetsOf(told).flatMap(({ to, channels }) => {
    const bundle = facts.statuses.get(to)
    const about = bundle?.ids.includes(id) ? aboutStatus(bundle, id) : null
    if (bundle === undefined || about === null) return []
    const payload = JSON.stringify(presentStatus(showing, bundle, id))
    return [{ to, message: { ...event, payload, about, channels } }]
  })
}

function removalMessages(told: Told, id: string): readonly Addressed[] {
  const content = plain({ event: 'delete', key: `delete ${id}` }, id)
  return targetsOf(told).map(({ to, channels }) => ({ to, message: { ...content, channels } }))
}

function conversationMessages({ ctx, facts }: Telling, statusId: StatusId): readonly Addressed[] {
  const owners = [...(facts.conversations.get(statusId) ?? [])]
  return owners.flatMap(([to, bundle]) => {
    const event = { event: 'conversation', key: `conversation ${statusId}` } as const
    const about = aboutStatus(bundle.statuses, statusId, ['last_status'])
    return presentConversations(showingOf(ctx), bundle).map((entity) => {
      return { to, message: { ...event, payload: JSON.stringify(entity), about, channels: ['direct'] } }
    })
  })
}

function notificationMessages(
  { ctx, facts, told }: Telling,
  ids: readonly NotificationId[],
): readonly Addressed[] {
  const wanted = new Set(ids)
  return targetsOf(told).flatMap(({ to, channels }) => {
    const bundle = to === null ? undefined : facts.notifications.get(to)
    if (bundle === undefined) return []
    const own = bundle.notifications.filter(({ notification }) => wanted.has(notification.id))
    // In the order they were made.
    return own.toReversed().map((one) => {
      const { id, statusId } = one.notification
      const payload = JSON.stringify(presentNotification(showingOf(ctx), bundle, one))
      const about = aboutNotice(bundle.statuses, one.sender, statusId)
      return { to, message: { key: `notification ${id}`, event: 'notification', payload, about, channels } }
    })
  })
}

/** Each for the one device that can read it. */
function encryptedMessages({ facts, told }: Telling, ids: readonly number[]): readonly Addressed[] {
  const here = listenersOf([told])
  return facts.encrypted
    .filter(({ id, accountId }) => ids.includes(id) && here.includes(accountId))
    .map((waiting) => {
      const event = { event: 'encrypted_message', key: `encrypted_message ${waiting.id}` } as const
      const content = plain(event, JSON.stringify(presentEncryptedMessage(waiting)))
      return { to: waiting.accountId, message: { ...content, channels: ['user'], tokenId: waiting.tokenId } }
    })
}

function announcementMessages({ ctx, facts, told }: Telling, id: number): readonly Addressed[] {
  const event = named(ctx, 'announcement')
  return targetsOf(told).flatMap(({ to, channels }) => {
    const announcement = to === null ? undefined : facts.announcements.get(id)?.get(to)
    if (announcement === undefined) return []
    const payload = JSON.stringify(presentAnnouncement(ctx.config, announcement))
    return [{ to, message: { ...plain(event, payload), channels } }]
  })
}

function reactionMessages({ ctx, facts, told }: Telling, id: number, name: string): readonly Addressed[] {
  const [announcement] = facts.announcements.get(id)?.values() ?? []
  if (announcement === undefined) return []
  const payload = JSON.stringify(presentReactionNews(ctx.config, announcement, name))
  return toAll(told, ['user'], plain(named(ctx, 'announcement.reaction'), payload))
}
