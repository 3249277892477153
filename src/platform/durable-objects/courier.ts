import { DurableObject } from 'cloudflare:workers'
import type { SignatureScheme } from '../../lib/signatures/sign'
import type { Ctx, QueuedDelivery } from '../ports'
import { maxAgeMilliseconds, maxMissing, nextAttemptAt } from './courier/backoff'
import { type DeliveryResult, deliver } from './courier/deliver'
import { DeliveryQueue, type PendingDelivery } from './courier/delivery-queue'
import { type KeyRing, openKeys, sign } from './courier/keyring'

/** What is known of the server a courier goes to. */
interface ServerState {
  readonly host: string
  /** Deliveries in a row that failed for reasons of the server. */
  readonly failures: number
  /** When a silent server is tried next, in milliseconds. */
  readonly pausedUntil: number | null
  /** What the server itself asked for. */
  readonly heldUntil: number | null
  readonly scheme: SignatureScheme | null
  readonly wokenAt: number
}

/** So many requests in one invocation, of fifty that are allowed, and so many at once, of six. */
const mostRequests = 30
const mostAtOnce = 6
/** After so many failures in a row only one delivery at a time tries whether somebody is there. */
const failuresUntilProbing = 5
/** A server that talks to us but does not listen must not make us shout. */
const wakeGapMilliseconds = 60_000
const rememberedMilliseconds = 3 * 24 * 3_600_000
/**
 * When the storage of a courier is deleted, after its last delivery. Anybody can name thousands of hosts as inboxes, and
 * each would keep its tables for good. Longer than an inbox counts as gone; signature schemes are learnt anew.
 */
const idleMilliseconds = 30 * 24 * 3_600_000
/** When to look again should this invocation be cut off. */
const safetyMilliseconds = 10 * 60_000

/**
 * Carries the activities of this server to one other: in order to each inbox, until they arrive, for five days.
 *
 * What waits is kept in the object's own storage, without keys: those are read for each batch. An object that is
 * cut off goes on where it stopped; what had arrived but was not yet noted comes a second time under its own id.
 */
export abstract class CourierObject extends DurableObject<Env> {
  #opened: DeliveryQueue | null = null
  #running: Promise<void> | null = null

  /** Everything impure; the class that is exported wires it. */
  protected abstract begin(): Ctx

  /** Opened when there is something to write: most servers that talk to us are never written to. */
  get #ledger(): DeliveryQueue {
    this.#opened ??= new DeliveryQueue(this.ctx.storage.sql)
    return this.#opened
  }

  /** Takes parcels for the server at `host`; handed twice they are sent once. */
  async hand(host: string, parcels: readonly QueuedDelivery[]): Promise<void> {
    const now = this.begin().clock.now()
    for (const parcel of parcels) this.#ledger.add(parcel, now)
    if (this.#standing().host !== host) this.#note({ host })
    await this.#plan(now)
  }

  /** The server gave a sign of life: what waits for it is sent now. */
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

  /** One after the other: two at once would send everything twice. */
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
      // The safety alarm stands: nothing is lost while the database is away.
      ctx.log.error('Deliveries could not be made', { host, cause })
      return
    }
    await this.#plan(ctx.clock.now())
  }

  async #deliver(ctx: Ctx): Promise<void> {
    let atHand: KeyRing | null = null
    // Each may have to knock twice, and by the previous key once more.
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

  /** The server is suspended, or on no list where only listed ones are spoken with. */
  #dropAll(ctx: Ctx): void {
    const count = this.#ledger.dropAll(ctx.clock.now())
    ctx.log.info('Deliveries to a suspended server were dropped', { host: this.#standing().host, count })
  }

  /** The keys at hand, unless somebody else handed something over since they were read. */
  async #keysFor(ctx: Ctx, batch: readonly PendingDelivery[], atHand: KeyRing | null): Promise<KeyRing> {
    const senders = batch.map(({ senderId }) => senderId)
    if (atHand?.covers(senders) === true) return atHand
    const all = new Set([...senders, ...this.#ledger.senders(mostRequests)])
    return openKeys(ctx, [...all], this.#standing().host)
  }

  /** What goes next: of a silent server one, when its time has come. */
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

  /** It answers. After a silence everything that waits may go. */
  #revive(now: Date, failures: number): void {
    if (failures === 0) return
    this.#note({ failures: 0, pausedUntil: null })
    if (failures >= failuresUntilProbing) this.#ledger.retryNow(now)
  }

  #count(now: Date, failures: number): void {
    const beyond = failures - failuresUntilProbing + 1
    this.#note({ failures, pausedUntil: beyond < 1 ? null : nextAttemptAt(now, beyond).getTime() })
  }

  /** Sets the alarm for the next thing to do, now at the earliest. */
  async #plan(now: Date): Promise<void> {
    const next = this.#ledger.nextAt()
    if (next === null) return this.#rest(now)
    const { failures, pausedUntil, heldUntil } = this.#standing()
    const wanted = failures >= failuresUntilProbing ? (pausedUntil ?? now.getTime()) : next.getTime()
    await this.ctx.storage.setAlarm(Math.max(wanted, heldUntil ?? 0, now.getTime()))
  }

  /** Nothing waits: deletes the storage where nothing is remembered either, and else looks again when that may be so. */
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
