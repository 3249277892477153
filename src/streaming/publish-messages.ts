import type { Ctx } from '../context'
import type { AccountId, StatusId } from '../lib/ids'
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

/** What news say on which streams. Nothing is said of what a listener may not see, or what is gone by now. */
export function messagesOf(ctx: Ctx, facts: Facts, told: Told): readonly Addressed[] {
  const { news } = told
  switch (news.kind) {
    case 'status.posted':
      return [
        ...statusMessages(ctx, facts, told, { id: news.statusId, event: 'update' }),
        ...conversationMessages(ctx, facts, told, news.statusId),
      ]
    case 'status.edited':
      return statusMessages(ctx, facts, told, { id: news.statusId, event: 'status.update' })
    case 'status.removed':
      return targetsOf(told).map(({ to, channels }) => {
        const text = String(news.statusId)
        return { to, message: { ...plain('delete', text), key: `delete ${text}`, channels } }
      })
    case 'notifications.made':
      return notificationMessages(ctx, facts, told, news.ids)
    case 'notifications.merged':
      return toAll(told, ['user', 'user:notification'], named(ctx, plain('notifications_merged', '1')))
    case 'filters.changed':
      return toAll(told, ['user'], named(ctx, plain('filters_changed', null)))
    case 'announcement.published':
      return announcementMessages(ctx, facts, told, news.announcementId)
    case 'announcement.reacted':
      return reactionMessages(ctx, facts, told, news)
    case 'announcement.removed':
      return toAll(told, ['user'], named(ctx, plain('announcement.delete', String(news.announcementId))))
    case 'messages.encrypted':
      return encryptedMessages(facts, told, news.ids)
    case 'rules.changed':
    case 'standing.changed':
    case 'sessions.ended':
      return []
  }
}

type Unnamed = Pick<Message, 'event' | 'payload' | 'about'>

function plain(event: Message['event'], payload: string | null): Unnamed {
  return { event, payload, about: null }
}

/** What may happen again has a name of its own each time. */
function named(ctx: Ctx, message: Unnamed): Omit<Message, 'channels'> {
  return { ...message, key: `${message.event} ${ctx.ids.next()}` }
}

function toAll(
  told: Told,
  channels: readonly string[],
  message: Omit<Message, 'channels'>,
): readonly Addressed[] {
  return listenersOf([told]).map((to) => ({ to, message: { ...message, channels } }))
}

interface Target {
  readonly to: AccountId | null
  readonly channels: readonly string[]
}

/** Whoever listens to a status, with the streams it is on: one person once, each shared stream by itself. */
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
  ctx: Ctx,
  { statuses }: Facts,
  told: Told,
  { id, event }: { readonly id: StatusId; readonly event: 'update' | 'status.update' },
): readonly Addressed[] {
  const showing = showingOf(ctx)
  // A status is posted once, however it reaches a stream; it may be changed again.
  const key = event === 'update' ? `update ${id}` : `status.update ${id} ${ctx.ids.next()}`
  const made = new Map<AccountId | null, Omit<Message, 'channels'>>()
  for (const [reader, bundle] of statuses) {
    const about = bundle.ids.includes(id) ? aboutStatus(bundle, id) : null
    if (about === null) continue
    made.set(reader, { key, event, payload: JSON.stringify(presentStatus(showing, bundle, id)), about })
  }
  return targetsOf(told).flatMap(({ to, channels }) => {
    const message = made.get(to)
    return message === undefined ? [] : [{ to, message: { ...message, channels } }]
  })
}

function conversationMessages(
  ctx: Ctx,
  { conversations }: Facts,
  _told: Told,
  statusId: StatusId,
): readonly Addressed[] {
  const owners = [...(conversations.get(statusId) ?? [])]
  return owners.flatMap(([to, bundle]) => {
    const about = aboutStatus(bundle.statuses, statusId, ['last_status'])
    return presentConversations(showingOf(ctx), bundle).map((entity) => {
      const payload = JSON.stringify(entity)
      const message = { key: `conversation ${statusId}`, event: 'conversation', payload, about } as const
      return { to, message: { ...message, channels: ['direct'] } }
    })
  })
}

function notificationMessages(
  ctx: Ctx,
  { notifications }: Facts,
  told: Told,
  ids: readonly number[],
): readonly Addressed[] {
  const wanted = new Set(ids)
  return targetsOf(told).flatMap(({ to, channels }) => {
    const bundle = to === null ? undefined : notifications.get(to)
    if (bundle === undefined) return []
    const own = bundle.notifications.filter(({ notification }) => wanted.has(notification.id))
    // In the order they were made.
    return own.toReversed().map((facts) => {
      const { id, statusId } = facts.notification
      const payload = JSON.stringify(presentNotification(showingOf(ctx), bundle, facts))
      const about = aboutNotice(bundle.statuses, facts.sender, statusId)
      return { to, message: { key: `notification ${id}`, event: 'notification', payload, about, channels } }
    })
  })
}

function announcementMessages(
  ctx: Ctx,
  { announcements }: Facts,
  told: Told,
  id: number,
): readonly Addressed[] {
  const event = named(ctx, plain('announcement', null))
  return targetsOf(told).flatMap(({ to, channels }) => {
    const facts = to === null ? undefined : announcements.get(id)?.get(to)
    if (facts === undefined) return []
    const payload = JSON.stringify(presentAnnouncement(ctx.config, facts))
    return [{ to, message: { ...event, payload, channels } }]
  })
}

function reactionMessages(
  ctx: Ctx,
  { announcements }: Facts,
  told: Told,
  { announcementId, name }: { readonly announcementId: number; readonly name: string },
): readonly Addressed[] {
  const [facts] = announcements.get(announcementId)?.values() ?? []
  if (facts === undefined) return []
  const payload = JSON.stringify(presentReactionNews(ctx.config, facts, name))
  return toAll(told, ['user'], named(ctx, plain('announcement.reaction', payload)))
}

/** Each for the one device that can read it. */
function encryptedMessages({ encrypted }: Facts, told: Told, ids: readonly number[]): readonly Addressed[] {
  const here = listenersOf([told])
  return encrypted
    .filter(({ id, accountId }) => ids.includes(id) && here.includes(accountId))
    .map((waiting) => {
      const payload = JSON.stringify(presentEncryptedMessage(waiting))
      const message = { ...plain('encrypted_message', payload), key: `encrypted_message ${waiting.id}` }
      return { to: waiting.accountId, message: { ...message, channels: ['user'], tokenId: waiting.tokenId } }
    })
}
