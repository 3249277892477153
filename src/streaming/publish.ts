import { execute } from '../db/query'
import type { AccountId } from '../lib/ids'
import type { LiveEvent } from '../messages/live'
import type { Ctx } from '../platform/ports'
import type { ConnectionCalls, TopicCalls } from './objects'
import { loadMessageFacts, type PublishedEvent, subscribersOf } from './publish-facts'
import { type AddressedMessage, messagesOf } from './publish-messages'
import { withRetries } from './with-retries'

/** The calls to stream objects that publishing needs. Each call gets a new stub: a broken one stays broken. */
export interface PublishTargets {
  connection(accountId: AccountId): Pick<ConnectionCalls, 'deliver' | 'forgetRules' | 'end' | 'recheck'>
  topic(channel: string): Pick<TopicCalls, 'spread'>
}

/**
 * Publishes events to subscribers: one round trip to the database, then one call per account and one per shared
 * stream and message.
 *
 * Never fails. Messages that still fail after retries are logged and dropped: clients get them from the
 * timelines when they load them. A call that got through though it seemed to fail causes no second event,
 * because messages carry the same key each time.
 */
export async function publish(
  ctx: Ctx,
  calls: PublishTargets,
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
  const work = [...connectionTasks(calls, events, addressed), ...topicTasks(calls, addressed)]
  await runConcurrently(work, (call) => withRetries(ctx, call, about))
}

type PublishTask = () => Promise<unknown>

function connectionTasks(
  calls: PublishTargets,
  events: readonly PublishedEvent[],
  addressed: readonly AddressedMessage[],
): readonly PublishTask[] {
  const ofKind = (...kinds: readonly LiveEvent['kind'][]) =>
    new Set(subscribersOf(events.filter(({ news }) => kinds.includes(news.kind))))
  const changed = ofKind('filters.changed', 'rules.changed')
  const toRecheck = ofKind('standing.changed', 'feeds.changed')
  const messages = Map.groupBy(addressed, ({ to }) => to)
  const accounts = new Set([...changed, ...toRecheck, ...messages.keys()])
  const perAccount = [...accounts].flatMap((account) => {
    if (account === null) return []
    const own = messages.get(account)?.map(({ message }) => message) ?? []
    return async () => {
      // Rules first: the messages are filtered by them.
      if (changed.has(account)) await calls.connection(account).forgetRules()
      if (toRecheck.has(account)) await calls.connection(account).recheck()
      if (own.length > 0) await calls.connection(account).deliver(own)
    }
  })
  const sessionEnds = events.flatMap(({ news, audience }) =>
    news.kind === 'sessions.ended' && audience.length > 0
      ? () => calls.connection(news.accountId).end(news.tokenIds)
      : [],
  )
  return [...sessionEnds, ...perAccount]
}

function topicTasks(calls: PublishTargets, addressed: readonly AddressedMessage[]): readonly PublishTask[] {
  return addressed
    .filter(({ to }) => to === null)
    .flatMap(({ message }) => message.channels.map((channel) => () => calls.topic(channel).spread(message)))
}

/** Concurrent calls at most, so that neither the memory of a Worker nor the object of one account is flooded. */
const maxConcurrency = 32

async function runConcurrently(
  work: readonly PublishTask[],
  carryOut: (call: PublishTask) => Promise<unknown>,
): Promise<void> {
  const waiting = work.values()
  const worker = async () => {
    for (const call of waiting) await carryOut(call)
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrency, work.length) }, worker))
}
