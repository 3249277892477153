import { notePresence } from '../domain/streams/presence'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import { isTopic } from './channels'
import type { StreamObjects } from './objects'
import { Turns } from './turns'

/** What all connections of a person listen to; null: there are none. */
export type Channels = ReadonlySet<string> | null

/**
 * Says outside what the connections of a person listen to: their own streams in the database, where the row stands
 * for their being here at all, and shared ones at their objects. Only what changed is said.
 */
export class Presence {
  readonly #accountId: AccountId
  readonly #objects: StreamObjects
  readonly #turns = new Turns()
  /** The row as it was last written. */
  #noted: string | null
  readonly #joined: Set<string>

  /** `surviving` is what sockets listen to that outlived an earlier object. */
  constructor(accountId: AccountId, objects: StreamObjects, surviving: Channels) {
    this.#accountId = accountId
    this.#objects = objects
    this.#noted = noteOf(surviving)
    this.#joined = new Set(topicsOf(surviving))
  }

  /** Makes known what `heard` says when its turn comes. */
  settle(ctx: Ctx, heard: () => Channels): Promise<void> {
    return this.#turns.take(() => this.#settle(ctx, heard()))
  }

  /** The database was found to say something else: it is told again. */
  mend(ctx: Ctx, heard: () => Channels): Promise<void> {
    return this.#turns.take(async () => {
      const now = heard()
      await this.#note(ctx, now)
    })
  }

  async #settle(ctx: Ctx, heard: Channels): Promise<void> {
    if (noteOf(heard) !== this.#noted) await this.#note(ctx, heard)
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

  async #note(ctx: Ctx, heard: Channels): Promise<void> {
    await notePresence(ctx, this.#accountId, heard === null ? null : ownOf(heard))
    this.#noted = noteOf(heard)
  }
}

function ownOf(heard: ReadonlySet<string>): readonly string[] {
  return [...heard].filter((channel) => !isTopic(channel)).sort()
}

function topicsOf(heard: Channels): readonly string[] {
  return [...(heard ?? [])].filter(isTopic)
}

function noteOf(heard: Channels): string | null {
  return heard === null ? null : JSON.stringify(ownOf(heard))
}
