import { ask } from '../db/query'
import type { AccountId } from '../lib/ids'
import type { LiveEvent } from '../messages/live'
import type { Ctx } from '../platform/ports'
import type { ConnectionCalls, TopicCalls } from './objects'
import { factsFor, listenersOf, type Told } from './publish-facts'
import { type Addressed, messagesOf } from './publish-messages'
import { tried } from './tried'

/** What is asked of the objects here. Each call takes one anew: one that broke answers no more. */
export interface Calls {
  connection(accountId: AccountId): Pick<ConnectionCalls, 'deliver' | 'forgetRules' | 'end' | 'recheck'>
  topic(channel: string): Pick<TopicCalls, 'spread'>
}

/**
 * Tells news to those who listen: one trip to the database for all of them, then one call for each person and one
 * for each shared stream and message.
 *
 * Never fails. What did not get through after some tries is logged and given up: who listens reads it from the
 * timelines when they load them. A call that did get through though it seemed to fail is no second event, because
 * messages carry the same key each time.
 */
export async function publish(ctx: Ctx, calls: Calls, told: readonly Told[]): Promise<void> {
  const [first] = told
  if (first === undefined) return
  const about = [
    'Somebody who listens could not be told',
    { news: told.map(({ news }) => news.kind) },
  ] as const
  const say = async () => {
    const facts = await ask(ctx.db, factsFor(ctx, told))
    return told.flatMap((one) => messagesOf(ctx, facts, one))
  }
  const addressed = (await tried(ctx, say, about)) ?? []
  const work = [...toPeople(calls, told, addressed), ...toTopics(calls, addressed)]
  await inTurns(work, (call) => tried(ctx, call, about))
}

type Call = () => Promise<unknown>

function toPeople(calls: Calls, told: readonly Told[], addressed: readonly Addressed[]): readonly Call[] {
  const ofKind = (...kinds: readonly LiveEvent['kind'][]) =>
    new Set(listenersOf(told.filter(({ news }) => kinds.includes(news.kind))))
  const changed = ofKind('filters.changed', 'rules.changed')
  const doubted = ofKind('standing.changed', 'feeds.changed')
  const messages = Map.groupBy(addressed, ({ to }) => to)
  const people = new Set([...changed, ...doubted, ...messages.keys()])
  const reached = [...people].flatMap((account) => {
    if (account === null) return []
    const own = messages.get(account)?.map(({ message }) => message) ?? []
    return async () => {
      // Before what they are to be held against.
      if (changed.has(account)) await calls.connection(account).forgetRules()
      if (doubted.has(account)) await calls.connection(account).recheck()
      if (own.length > 0) await calls.connection(account).deliver(own)
    }
  })
  const ended = told.flatMap(({ news, audience }) =>
    news.kind === 'sessions.ended' && audience.length > 0
      ? () => calls.connection(news.accountId).end(news.tokenIds)
      : [],
  )
  return [...ended, ...reached]
}

function toTopics(calls: Calls, addressed: readonly Addressed[]): readonly Call[] {
  return addressed
    .filter(({ to }) => to === null)
    .flatMap(({ message }) => message.channels.map((channel) => () => calls.topic(channel).spread(message)))
}

/** As many calls at a time keep the memory of a Worker, and the objects of one person, from being flooded. */
const atOnce = 32

async function inTurns(work: readonly Call[], carryOut: (call: Call) => Promise<unknown>): Promise<void> {
  const waiting = work.values()
  const worker = async () => {
    for (const call of waiting) await carryOut(call)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, work.length) }, worker))
}
