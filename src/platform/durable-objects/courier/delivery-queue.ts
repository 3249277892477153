import type { QueuedDelivery } from '../../ports'
import { goneInboxMilliseconds } from './backoff'

/** A pending delivery to one inbox. */
export interface PendingDelivery {
  readonly n: number
  readonly id: string
  readonly inbox: string
  readonly senderId: number
  readonly keyId: string
  readonly body: string
  readonly synchronization: string | null
  readonly attempts: number
}

const columns = `n, id, inbox, sender_id as senderId, key_id as keyId, body, synchronization, attempts`

/**
 * Selects the oldest delivery of each inbox: a later one must not arrive before it. A delivery whose signature the
 * peer could not verify holds up its sender alone: the keys of other senders may be valid.
 */
const isHead = `done_at is null and not exists (select 1 from parcels earlier
  where earlier.inbox = parcels.inbox and earlier.done_at is null
    and (earlier.place, earlier.n) < (parcels.place, parcels.n)
    and (earlier.sender_id = parcels.sender_id
      or not exists (select 1 from unauthorized
        where unauthorized.inbox = earlier.inbox and unauthorized.sender_id = earlier.sender_id)))`

type Row = Record<string, SqlStorageValue> & PendingDelivery

/** Pending and recent deliveries of a courier, in the object's own SQLite. */
export class DeliveryQueue {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(`create table if not exists parcels (
      n integer primary key,
      id text not null,
      inbox text not null,
      place integer not null,
      sender_id integer not null,
      key_id text not null,
      body text not null,
      synchronization text,
      attempts integer not null default 0,
      handed_at integer not null,
      next_at integer not null,
      done_at integer,
      unique (id, inbox)
    )`)
    sql.exec('create index if not exists parcels_heads on parcels (inbox, place, n) where done_at is null')
    sql.exec(`create table if not exists unauthorized (
      inbox text not null,
      sender_id integer not null,
      primary key (inbox, sender_id)
    )`)
    sql.exec(`create table if not exists inboxes (
      inbox text primary key,
      missing integer not null,
      ended_at integer
    )`)
  }

  /**
   * Adds a delivery; a known one, delivered or not, changes nothing. Deliveries to an inbox that is gone are held
   * until the inbox is retried.
   */
  add(
    { id, order, inboxes, senderId, keyId, body, synchronization = null }: QueuedDelivery,
    now: Date,
  ): void {
    const at = now.getTime()
    for (const inbox of inboxes)
      this.#sql.exec(
        `insert into parcels (id, inbox, place, sender_id, key_id, body, synchronization, handed_at, next_at)
          values (?, ?, ?, ?, ?, ?, ?, ?,
            max(?, coalesce((select ended_at + ? from inboxes where inbox = ?), 0)))
          on conflict do nothing`,
        id,
        inbox,
        order,
        senderId,
        keyId,
        body,
        synchronization,
        at,
        at,
        goneInboxMilliseconds,
        inbox,
      )
  }

  /** Deliveries due now, one of each inbox, oldest first. */
  due(now: Date, most: number): readonly PendingDelivery[] {
    return this.#sql
      .exec<Row>(
        `select ${columns} from parcels where ${isHead} and next_at <= ? order by place, n limit ?`,
        now.getTime(),
        most,
      )
      .toArray()
  }

  /**
   * Selects the probe for an unresponsive server: inboxes take turns, or a single one that never works would stand
   * for all of its server.
   */
  probe(): PendingDelivery | null {
    const found = this.#sql.exec<Row>(
      `select ${columns} from parcels where ${isHead} order by next_at, place, n limit 1`,
    )
    return found.toArray()[0] ?? null
  }

  /** Senders of the next deliveries. */
  senders(most: number): readonly number[] {
    const found = this.#sql.exec<{ id: number }>(
      `select distinct sender_id as id from
        (select sender_id from parcels where done_at is null order by place, n limit ?)`,
      most,
    )
    return found.toArray().map(({ id }) => id)
  }

  /** Marks a delivery as delivered, refused or given up: deletes its body, keeps its id for a while. */
  markDone({ n, inbox, senderId }: PendingDelivery, now: Date): void {
    this.#sql.exec(`update parcels set done_at = ?, body = '' where n = ?`, now.getTime(), n)
    this.#authorize(inbox, senderId)
  }

  postpone({ n, inbox, senderId }: PendingDelivery, until: Date): void {
    this.#delay(n, until)
    this.#authorize(inbox, senderId)
  }

  /** Postpones a delivery whose signature the inbox could not verify: other senders need not wait for it. */
  postponeUnauthorized({ n, inbox, senderId }: PendingDelivery, until: Date): void {
    this.#delay(n, until)
    this.#sql.exec('insert into unauthorized values (?, ?) on conflict do nothing', inbox, senderId)
  }

  #delay(n: number, until: Date): void {
    this.#sql.exec('update parcels set attempts = attempts + 1, next_at = ? where n = ?', until.getTime(), n)
  }

  #authorize(inbox: string, senderId: number): void {
    this.#sql.exec('delete from unauthorized where inbox = ? and sender_id = ?', inbox, senderId)
  }

  /** Counts a 404 of the inbox; returns the number of consecutive ones. */
  countMissing(inbox: string): number {
    const found = this.#sql.exec<{ missing: number }>(
      `insert into inboxes (inbox, missing) values (?, 1)
        on conflict (inbox) do update set missing = missing + 1 returning missing`,
      inbox,
    )
    return found.one().missing
  }

  /** Marks an inbox as gone: drops its pending deliveries and holds later ones. Returns the number dropped. */
  closeInbox(inbox: string, now: Date): number {
    const at = now.getTime()
    this.#sql.exec(
      `insert into inboxes (inbox, missing, ended_at) values (?, 0, ?)
        on conflict (inbox) do update set ended_at = excluded.ended_at`,
      inbox,
      at,
    )
    const found = this.#sql.exec(
      `update parcels set done_at = ?, body = '' where inbox = ? and done_at is null returning n`,
      at,
      inbox,
    )
    return found.toArray().length
  }

  /** Marks an inbox as existing. */
  found(inbox: string): void {
    this.#sql.exec('delete from inboxes where inbox = ?', inbox)
  }

  /** Reopens inboxes that were gone or missing, after contact from the server. Returns their number. */
  reopenInboxes(): number {
    return this.#sql.exec('delete from inboxes returning inbox').toArray().length
  }

  /** Makes all pending deliveries due now. */
  retryNow(now: Date): void {
    const at = now.getTime()
    this.#sql.exec('update parcels set next_at = ? where done_at is null and next_at > ?', at, at)
  }

  /** Gives up deliveries enqueued before `at`; returns their number. */
  expire(at: Date, now: Date): number {
    const waits = 'done_at is null and handed_at < ?'
    const [found] = this.#sql
      .exec<{ old: number }>(`select count(*) as old from parcels where ${waits}`, at.getTime())
      .toArray()
    if (found === undefined || found.old === 0) return 0
    this.#sql.exec(`update parcels set done_at = ?, body = '' where ${waits}`, now.getTime(), at.getTime())
    return found.old
  }

  /** Gives up all pending deliveries; returns their number. */
  dropAll(now: Date): number {
    const found = this.#sql.exec(
      `update parcels set done_at = ?, body = '' where done_at is null returning n`,
      now.getTime(),
    )
    return found.toArray().length
  }

  /** Deletes the ids of deliveries finished before `at`. */
  forget(at: Date): void {
    this.#sql.exec('delete from parcels where done_at < ?', at.getTime())
  }

  /** Whether no delivery is pending or remembered, and no inbox counts as gone. */
  isEmpty(now: Date): boolean {
    const found = this.#sql.exec<{ kept: number }>(
      'select exists (select 1 from parcels) or exists (select 1 from inboxes where ended_at > ?) as kept',
      now.getTime() - goneInboxMilliseconds,
    )
    return found.one().kept === 0
  }

  /** Time of the next due delivery; null without pending ones. */
  nextAt(): Date | null {
    const [found] = this.#sql
      .exec<{ at: number | null }>(`select min(next_at) as at from parcels where ${isHead}`)
      .toArray()
    return found?.at == null ? null : new Date(found.at)
  }
}
