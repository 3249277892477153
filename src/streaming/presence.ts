import { notePresence } from '../domain/streams/presence'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import { isTopic } from './channels'
import type { StreamObjects } from './objects'
import { SerialQueue } from './serial-queue'

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
  #noted: string | null
  readonly #joined: Set<string>

  /** `surviving` are the channels of sockets that outlived an earlier object. */
  constructor(accountId: AccountId, objects: StreamObjects, surviving: SubscribedChannels) {
    this.#accountId = accountId
    this.#objects = objects
    this.#noted = serializedChannels(surviving)
    this.#joined = new Set(topicsOf(surviving))
  }

  /** Publishes the channels that `heard` returns when its turn comes. */
  sync(ctx: Ctx, heard: () => SubscribedChannels): Promise<void> {
    return this.#turns.run(() => this.#settle(ctx, heard()))
  }

  /** Rewrites a row that was found to be outdated. */
  repair(ctx: Ctx, heard: () => SubscribedChannels): Promise<void> {
    return this.#turns.run(async () => {
      const now = heard()
      await this.#note(ctx, now)
    })
  }

  async #settle(ctx: Ctx, heard: SubscribedChannels): Promise<void> {
    if (serializedChannels(heard) !== this.#noted) await this.#note(ctx, heard)
    const topics = topicsOf(heard)
    for (const topic of topics.filter((one) => !this.#joined.has(one))) {
      await this.#objects.topic(topic).join(this.#accountId)
      this.#joined.add(topic)
    }
    for (const topic of [...this.#joined].filter((one) => !topics.includes(one))) {
      await this.#objects.topic(topic).leave(this.#accountId)
      this.#joined.delete(topic)
    }
  }

  async #note(ctx: Ctx, heard: SubscribedChannels): Promise<void> {
    await notePresence(ctx, this.#accountId, heard === null ? null : ownOf(heard))
    this.#noted = serializedChannels(heard)
  }
}

function ownOf(heard: ReadonlySet<string>): readonly string[] {
  return [...heard].filter((channel) => !isTopic(channel)).sort()
}

function topicsOf(heard: SubscribedChannels): readonly string[] {
  return [...(heard ?? [])].filter(isTopic)
}

function serializedChannels(heard: SubscribedChannels): string | null {
  return heard === null ? null : JSON.stringify(ownOf(heard))
}
