import { DurableObject } from 'cloudflare:workers'
import { noteTopic } from '../domain/streams/presence'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import type { StreamMessage } from './messages'
import { objectName, storeObjectName } from './object-name'
import type { DeliveryOutcome, StreamObjects, TopicCalls } from './objects'
import { SerialQueue } from './serial-queue'
import { withRetries } from './with-retries'

/** So many connection objects are called at once. */
const mostAtOnce = 20

interface Member {
  readonly accountId: AccountId
  /** Which of their joins this is: one who came back is not put out for having been away. */
  readonly turn: number
}

type Row = Record<string, SqlStorageValue> & Member

/** Knows who listens to one shared stream, and hands on to them what comes. */
export abstract class TopicObject extends DurableObject<Env> implements TopicCalls {
  readonly #turns = new SerialQueue()
  readonly #spreading = new SerialQueue()
  readonly #channel: string
  /** What the database was last told. */
  #isHeard: boolean | null = null

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#channel = objectName(state)
  }

  /** Everything impure; the class that is exported wires it. */
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
    await this.#settle()
  }

  async leave(accountId: AccountId): Promise<void> {
    this.#sql('delete from members where account_id = ?', accountId)
    await this.#settle()
  }

  spread(message: StreamMessage): Promise<void> {
    return this.#spreading.run(() => this.#spread({ ...message, channels: [this.#channel] }))
  }

  async #spread(message: StreamMessage): Promise<void> {
    const ctx = this.begin()
    const members = this.#members()
    const next = members.values()
    const work = async () => {
      for (const member of next) if ((await this.#hand(ctx, member, message)) === 'nobody') this.#drop(member)
    }
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, members.length) }, work))
    await this.#settle()
  }

  /** One who cannot be reached now stays: that says nothing of whether they listen. */
  async #hand(ctx: Ctx, { accountId }: Member, message: StreamMessage): Promise<DeliveryOutcome> {
    const hand = () => this.objects().connection(accountId).deliver([message])
    const about = { channel: this.#channel, key: message.key }
    return (await withRetries(ctx, hand, ['A message could not be handed on', about])) ?? 'heard'
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

  /** Tells the database whether anybody is left to hear. */
  #settle(): Promise<void> {
    return this.#turns.run(async () => {
      const isHeard = this.#members().length > 0
      if (isHeard === this.#isHeard) return
      await noteTopic(this.begin(), this.#channel, isHeard)
      this.#isHeard = isHeard
      // There is no end of names that somebody may listen to once. Who came meanwhile is next.
      if (this.#members().length === 0) await this.ctx.storage.deleteAll()
    })
  }
}
