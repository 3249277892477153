import { execute } from '../db/query'
import type { AccountId } from '../lib/ids'
import type { LiveEvent } from '../messages/live'
import type { Ctx } from '../ports/ctx'
import { branchName, handOver, withRetries } from './fan-out'
import {
  type AddressedOrders,
  type CalledObjects,
  delivery,
  noOrders,
  type Orders,
  type StreamMessage,
  splitIntoCalls,
} from './messages'
import { loadMessageFacts, type PublishedEvent, subscribersOf } from './publish-facts'
import { type AddressedMessage, messagesOf } from './publish-messages'

/**
 * Publishes events to subscribers: one round trip to the database, then one call per account and one per shared
 * stream; above a hundred, calls of branches that make these.
 *
 * Never fails. Messages that still fail after retries are logged and dropped: clients get them from the
 * timelines when they load them. A call that got through though it seemed to fail causes no second event,
 * because messages carry the same key each time.
 */
export async function publish(
  ctx: Ctx,
  calls: CalledObjects,
  events: readonly PublishedEvent[],
): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const about = ['Failed to publish a stream event', { news: events.map(({ news }) => news.kind) }] as const
  const buildMessages = async () => {
    const facts = await execute(ctx.db, loadMessageFacts(ctx, events))
    return events.flatMap((one) => messagesOf(ctx, facts, one))
  }
  const addressed = (await withRetries(ctx, buildMessages, about)) ?? []
  const parts = splitIntoCalls(ordersOf(events, addressed))
  const work = parts.map((part, index) => async () => {
    const [only, ...others] = part
    if (only !== undefined && others.length === 0) await handOver(calls, only)
    else await calls.topic(branchName('', index)).distribute(part)
  })
  await runConcurrently(work, (call) => withRetries(ctx, call, about))
}

type MutableOrders = { -readonly [K in keyof Orders]: Orders[K] }

/** Orders for each account, rules first: the messages are filtered by them. Then messages for shared streams. */
function ordersOf(
  events: readonly PublishedEvent[],
  addressed: readonly AddressedMessage[],
): readonly AddressedOrders[] {
  const byAccount = new Map<AccountId, MutableOrders>()
  const ordersFor = (account: AccountId) => {
    const orders = byAccount.get(account) ?? { ...noOrders }
    byAccount.set(account, orders)
    return orders
  }
  const ofKind = (...kinds: readonly LiveEvent['kind'][]) =>
    subscribersOf(events.filter(({ news }) => kinds.includes(news.kind)))
  for (const { news, audience } of events)
    if (news.kind === 'sessions.ended' && audience.length > 0) {
      const orders = ordersFor(news.accountId)
      orders.endedSessions = [...orders.endedSessions, news.tokenIds]
    }
  for (const account of ofKind('filters.changed', 'rules.changed')) ordersFor(account).haveRulesChanged = true
  for (const account of ofKind('standing.changed', 'feeds.changed')) ordersFor(account).needsRecheck = true
  const shareEqual = sharing()
  const messages = addressed.map(({ to, message }) => ({ to, message: shareEqual(message) }))
  for (const [to, own] of Map.groupBy(messages, ({ to }) => to))
    if (to !== null) ordersFor(to).messages = own.map(({ message }) => message)
  const shared = messages
    .filter(({ to }) => to === null)
    .flatMap(({ message }) => message.channels.map((channel) => ({ channel, message })))
  const byChannel = Map.groupBy(shared, ({ channel }) => channel)
  return [
    ...[...byAccount].map(([to, orders]) => ({ to, ...orders })),
    ...[...byChannel].map(([channel, own]) =>
      delivery(
        channel,
        own.map(({ message }) => message),
      ),
    ),
  ]
}

/** Replaces equal messages by the same object: a call sends an object once, however often it occurs. */
function sharing(): (message: StreamMessage) => StreamMessage {
  const byText = new Map<string, StreamMessage>()
  return (message) => {
    const text = JSON.stringify(message)
    const equal = byText.get(text) ?? message
    byText.set(text, equal)
    return equal
  }
}

/** Concurrent calls at most, so that neither the memory of a Worker nor the object of one account is flooded. */
const maxConcurrency = 32

async function runConcurrently<T>(
  work: readonly T[],
  carryOut: (call: T) => Promise<unknown>,
): Promise<void> {
  const waiting = work.values()
  const worker = async () => {
    for (const call of waiting) await carryOut(call)
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrency, work.length) }, worker))
}
