import type { QueuedDelivery } from '../../../ports/federation'
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

const columns = `p.n, p.id, p.inbox, p.sender_id as senderId, p.key_id as keyId, p.body, p.synchronization,
  p.attempts`

type Row = Record<string, SqlStorageValue> & PendingDelivery

/** Tables of a courier. `parcels` may come from a version without `heads`. */
const schema = [
  `create table if not exists parcels (
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
  )`,
  'create index if not exists parcels_heads on parcels (inbox, place, n) where done_at is null',
  `create table if not exists unauthorized (
    inbox text not null,
    sender_id integer not null,
    primary key (inbox, sender_id)
  )`,
  `create table if not exists inboxes (
    inbox text primary key,
    missing integer not null,
    ended_at integer
  )`,
]

/**
 * Deliveries that may be next, by the time of their next attempt: no search among all that wait. `refreshHeads`
 * keeps the rows of an inbox.
 */
const headsSchema = [
  `create table heads (
    n integer primary key,
    inbox text not null,
    next_at integer not null,
    place integer not null
  )`,
  'create index heads_inbox on heads (inbox)',
  'create index heads_next on heads (next_at, place, n)',
]

/**
 * Pending and recent deliveries of a courier, in the object's own SQLite. What one delivery costs does not depend on
 * the number of others.
 */
export class DeliveryQueue {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    for (const statement of schema) sql.exec(statement)
    const [heads] = sql.exec(`select 1 from sqlite_master where type = 'table' and name = 'heads'`).toArray()
    if (heads !== undefined) return
    for (const statement of headsSchema) sql.exec(statement)
    const inboxes = sql.exec<{ inbox: string }>('select distinct inbox from parcels where done_at is null')
    for (const { inbox } of inboxes.toArray()) this.#refreshHeads(inbox)
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
    for (const inbox of inboxes) {
      const added = this.#sql.exec(
        `insert into parcels (id, inbox, place, sender_id, key_id, body, synchronization, handed_at, next_at)
          values (?, ?, ?, ?, ?, ?, ?, ?,
            max(?, coalesce((select ended_at + ? from inboxes where inbox = ?), 0)))
          on conflict do nothing returning n`,
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
      if (added.toArray().length > 0) this.#refreshHeads(inbox)
    }
  }

  /** Deliveries due now, one of each inbox, those that were due first before others. */
  due(now: Date, most: number): readonly PendingDelivery[] {
    return this.#sql
      .exec<Row>(
        `select ${columns} from (select n from heads where next_at <= ? order by next_at, place, n limit ?) head
          cross join parcels p on p.n = head.n`,
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
      `select ${columns} from (select n from heads order by next_at, place, n limit 1) head
        cross join parcels p on p.n = head.n`,
    )
    return found.toArray()[0] ?? null
  }

  /** Senders of the next deliveries. */
  senders(most: number): readonly number[] {
    const found = this.#sql.exec<{ id: number }>(
      `select distinct p.sender_id as id from (select n from heads order by next_at, place, n limit ?) head
        cross join parcels p on p.n = head.n`,
      most,
    )
    return found.toArray().map(({ id }) => id)
  }

  /** Marks a delivery as delivered, refused or given up: deletes its body, keeps its id for a while. */
  markDone({ n, inbox, senderId }: PendingDelivery, now: Date): void {
    this.#sql.exec(`update parcels set done_at = ?, body = '' where n = ?`, now.getTime(), n)
    this.#authorize(inbox, senderId)
    this.#refreshHeads(inbox)
  }

  postpone({ n, inbox, senderId }: PendingDelivery, until: Date): void {
    this.#delay(n, until)
    this.#authorize(inbox, senderId)
    this.#refreshHeads(inbox)
  }

  /** Postpones a delivery whose signature the inbox could not verify: other senders need not wait for it. */
  postponeUnauthorized({ n, inbox, senderId }: PendingDelivery, until: Date): void {
    this.#delay(n, until)
    this.#sql.exec('insert into unauthorized values (?, ?) on conflict do nothing', inbox, senderId)
    this.#refreshHeads(inbox)
  }

  #delay(n: number, until: Date): void {
    this.#sql.exec('update parcels set attempts = attempts + 1, next_at = ? where n = ?', until.getTime(), n)
  }

  #authorize(inbox: string, senderId: number): void {
    this.#sql.exec('delete from unauthorized where inbox = ? and sender_id = ?', inbox, senderId)
  }

  /**
   * Selects again which deliveries to an inbox may be next: the oldest, since a later one must not arrive before it. A
   * delivery whose signature the peer could not verify holds up its sender alone, for the keys of other senders may be
   * valid: then the oldest of each such sender, up to the oldest of all others.
   */
  #refreshHeads(inbox: string): void {
    this.#sql.exec('delete from heads where inbox = ?', inbox)
    const [held] = this.#sql.exec('select 1 from unauthorized where inbox = ? limit 1', inbox).toArray()
    // Usually the first: the others are read only where deliveries of a sender are held up.
    const waiting = this.#sql.exec<{
      n: number
      place: number
      nextAt: number
      senderId: number
      held: number
    }>(
      `select p.n, p.place, p.next_at as nextAt, p.sender_id as senderId,
          exists (select 1 from unauthorized u where u.inbox = p.inbox and u.sender_id = p.sender_id) as held
        from parcels p where p.inbox = ? and p.done_at is null order by p.place, p.n
        ${held === undefined ? 'limit 1' : ''}`,
      inbox,
    )
    const seen = new Set<number>()
    for (const { n, place, nextAt, senderId, held } of waiting.toArray()) {
      if (!seen.has(senderId))
        this.#sql.exec(
          'insert into heads (n, inbox, next_at, place) values (?, ?, ?, ?)',
          n,
          inbox,
          nextAt,
          place,
        )
      if (held === 0) break
      seen.add(senderId)
    }
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
    const dropped = found.toArray().length
    this.#refreshHeads(inbox)
    return dropped
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
    this.#sql.exec('update heads set next_at = ? where next_at > ?', at, at)
  }

  /** Gives up deliveries enqueued before `at`; returns their number. */
  expire(at: Date, now: Date): number {
    const found = this.#sql.exec<{ inbox: string }>(
      `update parcels set done_at = ?, body = '' where done_at is null and handed_at < ? returning inbox`,
      now.getTime(),
      at.getTime(),
    )
    const inboxes = found.toArray().map(({ inbox }) => inbox)
    for (const inbox of new Set(inboxes)) this.#refreshHeads(inbox)
    return inboxes.length
  }

  /** Gives up all pending deliveries; returns their number. */
  dropAll(now: Date): number {
    const found = this.#sql.exec(
      `update parcels set done_at = ?, body = '' where done_at is null returning n`,
      now.getTime(),
    )
    const dropped = found.toArray().length
    this.#sql.exec('delete from heads')
    return dropped
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

  /** Inboxes that deliveries wait for. */
  waitingInboxes(): readonly string[] {
    return this.#sql
      .exec<{ inbox: string }>('select distinct inbox from heads')
      .toArray()
      .map(({ inbox }) => inbox)
  }

  /** Number of pending deliveries, and the time of the oldest. Reads all of them: for operators. */
  pending(): { readonly count: number; readonly oldestAt: Date | null } {
    const found = this.#sql.exec<{ count: number; oldest: number | null }>(
      'select count(*) as count, min(handed_at) as oldest from parcels where done_at is null',
    )
    const { count, oldest } = found.one()
    return { count, oldestAt: oldest === null ? null : new Date(oldest) }
  }

  /** Time of the next due delivery; null without pending ones. */
  nextAt(): Date | null {
    const [found] = this.#sql.exec<{ at: number | null }>('select min(next_at) as at from heads').toArray()
    return found?.at == null ? null : new Date(found.at)
  }
}
