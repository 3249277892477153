import { DurableObject } from 'cloudflare:workers'
import type { SignatureScheme } from '../../lib/signatures/sign'
import type { Ctx, QueuedDelivery } from '../ports'
import { maxAgeMilliseconds, maxMissing, nextAttemptAt } from './courier/backoff'
import { type DeliveryResult, deliver } from './courier/deliver'
import { DeliveryQueue, type PendingDelivery } from './courier/delivery-queue'
import { type KeyRing, openKeys, sign } from './courier/keyring'

/** State of the server that a courier delivers to. */
interface ServerState {
  readonly host: string
  /** Consecutive deliveries that failed because of the server. */
  readonly failures: number
  /** Next attempt at an unresponsive server, in milliseconds. */
  readonly pausedUntil: number | null
  /** Retry-After of the server. */
  readonly heldUntil: number | null
  readonly scheme: SignatureScheme | null
  readonly wokenAt: number
}

/** Requests in one invocation, of fifty that are allowed, and concurrent ones, of six. */
const mostRequests = 30
const mostAtOnce = 6
/** Consecutive failures after which a single delivery at a time probes the server. */
const failuresUntilProbing = 5
/**
 * Minimum gap between wake-ups: a server that sends but does not accept deliveries must not cause a flood of
 * attempts.
 */
const wakeGapMilliseconds = 60_000
const rememberedMilliseconds = 3 * 24 * 3_600_000
/**
 * Time from the last delivery until a courier's storage is deleted. Remote actors can name thousands of hosts as
 * inboxes, and each would keep its tables for good. Longer than an inbox counts as gone; signature schemes are learnt
 * anew.
 */
const idleMilliseconds = 30 * 24 * 3_600_000
/** Alarm in case this invocation is cut off. */
const safetyMilliseconds = 10 * 60_000

/**
 * Delivers local activities to one remote server: in order per inbox, with retries, for five days.
 *
 * Pending deliveries are kept in the object's own storage, without keys: those are read for each batch. An
 * interrupted object continues where it stopped; a delivery accepted but not yet recorded is repeated under its own
 * id.
 */
export abstract class CourierObject extends DurableObject<Env> {
  #opened: DeliveryQueue | null = null
  #running: Promise<void> | null = null

  /** Builds the Ctx of impure ports; the exported class wires it. */
  protected abstract begin(): Ctx

  /** Opened on the first write: most servers that send activities never receive any. */
  get #ledger(): DeliveryQueue {
    this.#opened ??= new DeliveryQueue(this.ctx.storage.sql)
    return this.#opened
  }

  /** Enqueues deliveries for the server at `host`; duplicates are sent once. */
  async hand(host: string, parcels: readonly QueuedDelivery[]): Promise<void> {
    const now = this.begin().clock.now()
    for (const parcel of parcels) this.#ledger.add(parcel, now)
    if (this.#standing().host !== host) this.#note({ host })
    await this.#plan(now)
  }

  /** Retries pending deliveries now, after contact from the server. */
  async wake(): Promise<void> {
    const now = this.begin().clock.now()
    const standing = this.#standing()
    if (standing.host === '') return
    if (now.getTime() - standing.wokenAt < wakeGapMilliseconds) return
    const reopened = this.#ledger.reopenInboxes()
    if (reopened === 0 && this.#ledger.nextAt() === null) return
    this.#note({ failures: 0, pausedUntil: null, wokenAt: now.getTime() })
    this.#ledger.retryNow(now)
    await this.#plan(now)
  }

  /** Runs one alarm at a time: two at once would send every delivery twice. */
  override alarm(): Promise<void> {
    this.#running ??= this.#work().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #work(): Promise<void> {
    const ctx = this.begin()
    const now = ctx.clock.now()
    await this.ctx.storage.setAlarm(now.getTime() + safetyMilliseconds)
    this.#ledger.forget(new Date(now.getTime() - rememberedMilliseconds))
    const { host } = this.#standing()
    const old = this.#ledger.expire(new Date(now.getTime() - maxAgeMilliseconds), now)
    if (old > 0) ctx.log.error('Deliveries were given up', { host, count: old })
    try {
      await this.#deliver(ctx)
    } catch (cause) {
      // The safety alarm stands: no delivery is lost while the database is unavailable.
      ctx.log.error('Deliveries could not be made', { host, cause })
      return
    }
    await this.#plan(ctx.clock.now())
  }

  async #deliver(ctx: Ctx): Promise<void> {
    let atHand: KeyRing | null = null
    // Each may need a second signature variant, and once more the previous key.
    for (let left = mostRequests; left >= 2; ) {
      const batch = this.#batch(ctx.clock.now(), Math.min(mostAtOnce, Math.floor(left / 2)))
      if (batch.length === 0) return
      const keys = await this.#keysFor(ctx, batch, atHand)
      if (!keys.mayContact) return this.#dropAll(ctx)
      atHand = keys
      const receipts = await Promise.all(batch.map((parcel) => this.#carry(ctx, parcel, keys)))
      left -= receipts.reduce((sum, { requests }) => sum + requests, 0)
      this.#settle(ctx, batch, receipts)
    }
  }

  /** Drops all deliveries: the server is suspended, or not on the allowlist of limited federation. */
  #dropAll(ctx: Ctx): void {
    const count = this.#ledger.dropAll(ctx.clock.now())
    ctx.log.info('Deliveries to a suspended server were dropped', { host: this.#standing().host, count })
  }

  /** Returns the opened keys, or reopens them when other senders were added meanwhile. */
  async #keysFor(ctx: Ctx, batch: readonly PendingDelivery[], atHand: KeyRing | null): Promise<KeyRing> {
    const senders = batch.map(({ senderId }) => senderId)
    if (atHand?.covers(senders) === true) return atHand
    const all = new Set([...senders, ...this.#ledger.senders(mostRequests)])
    return openKeys(ctx, [...all], this.#standing().host)
  }

  /** Selects the next deliveries: one probe for an unresponsive server, when it is due. */
  #batch(now: Date, most: number): readonly PendingDelivery[] {
    const { failures, pausedUntil, heldUntil } = this.#standing()
    if ((heldUntil ?? 0) > now.getTime() || (pausedUntil ?? 0) > now.getTime()) return []
    if (failures < failuresUntilProbing) return this.#ledger.due(now, most)
    const probe = this.#ledger.probe()
    return probe === null ? [] : [probe]
  }

  async #carry(ctx: Ctx, parcel: PendingDelivery, keys: KeyRing): Promise<DeliveryResult> {
    const held = keys.of(parcel.senderId)
    if (held === null) return { kind: 'refused', status: 0, requests: 0 }
    const scheme = this.#standing().scheme ?? keys.scheme
    const signing = (key: CryptoKey) => ({
      keyId: parcel.keyId,
      sign: (bytes: Uint8Array) => sign(key, bytes),
    })
    const previous = held.previous === null ? null : signing(held.previous)
    return deliver(ctx, parcel, { key: signing(held.current), previous, scheme })
  }

  #settle(ctx: Ctx, batch: readonly PendingDelivery[], receipts: readonly DeliveryResult[]): void {
    const now = ctx.clock.now()
    const { failures } = this.#standing()
    for (const [index, parcel] of batch.entries()) {
      const receipt = receipts[index]
      if (receipt !== undefined) this.#settleOne(ctx, parcel, receipt)
    }
    const failed = receipts.filter(({ kind }) => kind === 'failed').length
    if (failed < receipts.length) this.#revive(now, failures)
    else this.#count(now, failures + failed)
  }

  #settleOne(ctx: Ctx, parcel: PendingDelivery, receipt: DeliveryResult): void {
    const now = ctx.clock.now()
    const { host } = this.#standing()
    const { id, inbox } = parcel
    const next = nextAttemptAt(now, parcel.attempts + 1)
    switch (receipt.kind) {
      case 'accepted':
        this.#ledger.markDone(parcel, now)
        this.#ledger.found(inbox)
        this.#note({ scheme: receipt.scheme })
        return
      case 'refused':
        this.#ledger.markDone(parcel, now)
        ctx.log.info('A delivery was refused', { host, id, status: receipt.status })
        return
      case 'gone':
        this.#end(ctx, inbox)
        return
      case 'missing':
        this.#ledger.postpone(parcel, next)
        if (this.#ledger.countMissing(inbox) >= maxMissing) this.#end(ctx, inbox)
        else ctx.log.info('A delivery failed', { host, id, reason: 'its inbox was not found' })
        return
      case 'unauthorized':
        this.#ledger.postponeUnauthorized(parcel, next)
        ctx.log.info('A delivery failed', { host, id, reason: 'its signature was not accepted' })
        return
      case 'failed':
        this.#ledger.postpone(parcel, next)
        if (receipt.heldUntil !== null) this.#note({ heldUntil: receipt.heldUntil.getTime() })
        ctx.log.info('A delivery failed', { host, id, reason: receipt.reason })
    }
  }

  #end(ctx: Ctx, inbox: string): void {
    const dropped = this.#ledger.closeInbox(inbox, ctx.clock.now())
    ctx.log.info('An inbox is gone', { host: this.#standing().host, inbox, dropped })
  }

  /** Resets the failures after a success. After an outage all pending deliveries may go. */
  #revive(now: Date, failures: number): void {
    if (failures === 0) return
    this.#note({ failures: 0, pausedUntil: null })
    if (failures >= failuresUntilProbing) this.#ledger.retryNow(now)
  }

  #count(now: Date, failures: number): void {
    const beyond = failures - failuresUntilProbing + 1
    this.#note({ failures, pausedUntil: beyond < 1 ? null : nextAttemptAt(now, beyond).getTime() })
  }

  /** Sets the alarm for the next due delivery, now at the earliest. */
  async #plan(now: Date): Promise<void> {
    const next = this.#ledger.nextAt()
    if (next === null) return this.#rest(now)
    const { failures, pausedUntil, heldUntil } = this.#standing()
    const wanted = failures >= failuresUntilProbing ? (pausedUntil ?? now.getTime()) : next.getTime()
    await this.ctx.storage.setAlarm(Math.max(wanted, heldUntil ?? 0, now.getTime()))
  }

  /** Deletes the storage where no state is left, else sets an alarm for when that may be so. */
  async #rest(now: Date): Promise<void> {
    if (!this.#ledger.isEmpty(now)) return this.ctx.storage.setAlarm(now.getTime() + idleMilliseconds)
    this.#opened = null
    await this.ctx.storage.deleteAll()
  }

  #standing(): ServerState {
    return this.ctx.storage.kv.get<ServerState>('standing') ?? unknownServer
  }

  #note(change: Partial<ServerState>): void {
    this.ctx.storage.kv.put('standing', { ...this.#standing(), ...change })
  }
}

const unknownServer: ServerState = {
  host: '',
  failures: 0,
  pausedUntil: null,
  heldUntil: null,
  scheme: null,
  wokenAt: 0,
}
