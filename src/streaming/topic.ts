import { DurableObject } from 'cloudflare:workers'
import { noteTopic } from '../domain/streams/presence'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { objectName, storeObjectName } from './connection-request'
import { FanOut, patienceMilliseconds, SerialQueue } from './fan-out'
import {
  type AddressedOrders,
  type CalledObjects,
  delivery,
  type StreamMessage,
  type TopicCalls,
} from './messages'

interface Member {
  readonly accountId: AccountId
  /** Identifies a join: a member who joined again is not removed by the result of an older delivery. */
  readonly turn: number
}

type Row = Record<string, SqlStorageValue> & Member

/**
 * Tracks the subscribers of one shared stream, and delivers its messages to them. As a branch without subscribers,
 * hands over part of the orders of another object.
 */
export abstract class TopicObject extends DurableObject<Env> implements TopicCalls {
  readonly #turns = new SerialQueue()
  readonly #channel: string
  readonly #fanOut: FanOut
  /** State last written to the database. */
  #hasSubscribers: boolean | null = null

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#channel = objectName(state)
    this.#fanOut = new FanOut({
      begin: () => this.begin(),
      objects: () => this.objects(),
      name: this.#channel,
      patienceMilliseconds: this.patienceMilliseconds(),
    })
  }

  /** Builds the ports for one call; wired by the exported class. */
  protected abstract begin(): Ctx
  protected abstract objects(): CalledObjects

  protected patienceMilliseconds(): number {
    return patienceMilliseconds
  }

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

  async spread(messages: readonly StreamMessage[]): Promise<void> {
    const own = messages.map((message) => ({ ...message, channels: [this.#channel] }))
    const turns = new Map(this.#members().map(({ accountId, turn }) => [accountId, turn]))
    const unreached = await this.#fanOut.distribute([...turns.keys()].map((to) => delivery(to, own)))
    for (const accountId of unreached) this.#drop(accountId, turns.get(accountId))
    await this.#syncPresence()
  }

  distribute(orders: readonly AddressedOrders[]): Promise<readonly AccountId[]> {
    return this.#fanOut.distribute(orders)
  }

  #drop(accountId: AccountId, turn: number | undefined): void {
    if (turn !== undefined)
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
