import { DurableObject } from 'cloudflare:workers'
import { noteTopic } from '../domain/streams/presence'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import type { StreamMessage } from './messages'
import { objectName, storeObjectName } from './object-name'
import type { DeliveryOutcome, StreamObjects, TopicCalls } from './objects'
import { SerialQueue } from './serial-queue'
import { withRetries } from './with-retries'

/** Maximum number of concurrent calls to connection objects. */
const maxConcurrency = 20

interface Member {
  readonly accountId: AccountId
  /** Identifies a join: a member who joined again is not removed by the result of an older delivery. */
  readonly turn: number
}

type Row = Record<string, SqlStorageValue> & Member

/** Tracks the subscribers of one shared stream, and delivers its messages to them. */
export abstract class TopicObject extends DurableObject<Env> implements TopicCalls {
  readonly #turns = new SerialQueue()
  readonly #deliveries = new SerialQueue()
  readonly #channel: string
  /** State last written to the database. */
  #hasSubscribers: boolean | null = null

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#channel = objectName(state)
  }

  /** Builds the ports for one call; wired by the exported class. */
  protected abstract begin(): Ctx
  protected abstract objects(): StreamObjects

  async join(accountId: AccountId): Promise<void> {
    storeObjectName(this.ctx)
    const turn = this.begin().ids.next()
    this.#sql(
      'insert into members values (?, ?) on conflict do update set turn = excluded.turn',
      accountId,
      turn,
    )
    await this.#syncPresence()
  }

  async leave(accountId: AccountId): Promise<void> {
    this.#sql('delete from members where account_id = ?', accountId)
    await this.#syncPresence()
  }

  spread(message: StreamMessage): Promise<void> {
    return this.#deliveries.run(() => this.#spread({ ...message, channels: [this.#channel] }))
  }

  async #spread(message: StreamMessage): Promise<void> {
    const ctx = this.begin()
    const members = this.#members()
    const next = members.values()
    const work = async () => {
      for (const member of next)
        if ((await this.#deliver(ctx, member, message)) === 'nobody') this.#drop(member)
    }
    await Promise.all(Array.from({ length: Math.min(maxConcurrency, members.length) }, work))
    await this.#syncPresence()
  }

  /** Delivers to one member. Unreachable members stay: a failed call does not prove that they unsubscribed. */
  async #deliver(ctx: Ctx, { accountId }: Member, message: StreamMessage): Promise<DeliveryOutcome> {
    const deliver = () => this.objects().connection(accountId).deliver([message])
    const about = { channel: this.#channel, key: message.key }
    return (await withRetries(ctx, deliver, ['Failed to deliver a stream message', about])) ?? 'heard'
  }

  #drop({ accountId, turn }: Member): void {
    this.#sql('delete from members where account_id = ? and turn = ?', accountId, turn)
  }

  #members(): readonly Member[] {
    return this.#sql('select account_id as accountId, turn from members order by account_id').toArray()
  }

  #sql(statement: string, ...values: number[]) {
    const { sql } = this.ctx.storage
    sql.exec('create table if not exists members (account_id integer primary key, turn integer not null)')
    return sql.exec<Row>(statement, ...values)
  }

  /** Publishes to the database whether the topic has subscribers. */
  #syncPresence(): Promise<void> {
    return this.#turns.run(async () => {
      const hasSubscribers = this.#members().length > 0
      if (hasSubscribers === this.#hasSubscribers) return
      await noteTopic(this.begin(), this.#channel, hasSubscribers)
      this.#hasSubscribers = hasSubscribers
      // Delete storage: topic names are unlimited, and many are subscribed to only once. Joins made meanwhile
      // are handled next.
      if (this.#members().length === 0) await this.ctx.storage.deleteAll()
    })
  }
}
