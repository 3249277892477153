import { notePresence } from '../domain/streams/presence'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { isTopic } from './channels'
import { SerialQueue } from './fan-out'
import type { StreamObjects } from './messages'

/** Channels that the connections of an account subscribe to; null without connections. */
export type SubscribedChannels = ReadonlySet<string> | null

/**
 * Publishes the subscriptions of an account's connections: its own streams as a row in the database, which also
 * marks the account as connected, and shared ones at their topic objects. Only changes are written.
 */
export class Presence {
  readonly #accountId: AccountId
  readonly #objects: StreamObjects
  readonly #turns = new SerialQueue()
  /** The row as last written. */
  #written: string | null
  readonly #joined: Set<string>

  /** `surviving` are the channels of sockets that outlived an earlier object. */
  constructor(accountId: AccountId, objects: StreamObjects, surviving: SubscribedChannels) {
    this.#accountId = accountId
    this.#objects = objects
    this.#written = serializedChannels(surviving)
    this.#joined = new Set(topicsOf(surviving))
  }

  /** Publishes the channels that `current` returns when its turn comes. */
  sync(ctx: Ctx, current: () => SubscribedChannels): Promise<void> {
    return this.#turns.run(() => this.#syncNow(ctx, current()))
  }

  /** Rewrites a row that was found to be outdated. */
  repair(ctx: Ctx, current: () => SubscribedChannels): Promise<void> {
    return this.#turns.run(async () => {
      await this.#write(ctx, current())
    })
  }

  async #syncNow(ctx: Ctx, subscribed: SubscribedChannels): Promise<void> {
    if (serializedChannels(subscribed) !== this.#written) await this.#write(ctx, subscribed)
    const topics = topicsOf(subscribed)
    for (const topic of topics.filter((one) => !this.#joined.has(one))) {
      await this.#objects.topic(topic).join(this.#accountId)
      this.#joined.add(topic)
    }
    for (const topic of [...this.#joined].filter((one) => !topics.includes(one))) {
      await this.#objects.topic(topic).leave(this.#accountId)
      this.#joined.delete(topic)
    }
  }

  async #write(ctx: Ctx, subscribed: SubscribedChannels): Promise<void> {
    await notePresence(ctx, this.#accountId, subscribed === null ? null : ownOf(subscribed))
    this.#written = serializedChannels(subscribed)
  }
}

function ownOf(subscribed: ReadonlySet<string>): readonly string[] {
  return [...subscribed].filter((channel) => !isTopic(channel)).sort()
}

function topicsOf(subscribed: SubscribedChannels): readonly string[] {
  return [...(subscribed ?? [])].filter(isTopic)
}

function serializedChannels(subscribed: SubscribedChannels): string | null {
  return subscribed === null ? null : JSON.stringify(ownOf(subscribed))
}
