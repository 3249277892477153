import { DurableObject } from 'cloudflare:workers'
import { execute } from '../../db/query'
import { clearFailingHost, markUnreachable, recordFailingHost } from '../../domain/servers/reachability'
import { signatureOf } from '../../domain/servers/signature'
import type { AccountId } from '../../lib/ids'
import type { SignatureScheme } from '../../lib/signatures/sign'
import type { Ctx } from '../../ports/ctx'
import type { CourierState, QueuedDelivery, SigningFacts } from '../../ports/federation'
import { maxAgeMilliseconds, maxMissing, nextAttemptAt } from './courier/backoff'
import { type DeliveryResult, deliver } from './courier/deliver'
import { DeliveryQueue, type PendingDelivery } from './courier/delivery-queue'
import { HandedKeys, type KeyRing, openKeys, sign } from './courier/keyring'
import { type ServerState, unknownServer } from './courier/server-state'

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
 * again.
 */
const idleMilliseconds = 30 * 24 * 3_600_000
/** Period of failures after which a server counts as unreachable. As in Mastodon. */
const unreachableAfterMilliseconds = 7 * 24 * 3_600_000
const sweepGapMilliseconds = 3_600_000
/** Alarm in case this invocation is cut off. */
const safetyMilliseconds = 10 * 60_000

/**
 * Delivers local activities to one remote server: in order per inbox, with retries, for five days. A server that
 * failed for a week gets nothing more until it makes contact.
 *
 * Pending deliveries are kept in the object's own storage, without keys: those come with the deliveries, in memory, or
 * are read for each batch. An interrupted object continues where it stopped; a delivery accepted but not yet recorded
 * is repeated under its own id.
 */
export abstract class CourierObject extends DurableObject<Env> {
  #opened: DeliveryQueue | null = null
  #running: Promise<void> | null = null
  readonly #handed = new HandedKeys()

  /** Builds the Ctx of impure ports; the exported class wires it. */
  protected abstract begin(): Ctx

  /** Opened on the first write: most servers that send activities never receive any. */
  get #queue(): DeliveryQueue {
    this.#opened ??= new DeliveryQueue(this.ctx.storage.sql)
    return this.#opened
  }

  /** Enqueues deliveries for the server at `host`; duplicates are sent once. */
  async hand(
    host: string,
    deliveries: readonly QueuedDelivery[],
    signing: SigningFacts | null = null,
  ): Promise<void> {
    const ctx = this.begin()
    const now = ctx.clock.now()
    if (this.#state().unreachable) {
      const inboxes = deliveries.flatMap((delivery) => delivery.inboxes)
      ctx.log.info('Deliveries to an unreachable server were dropped', { host, count: inboxes.length })
      return markUnreachable(ctx, inboxes)
    }
    if (signing !== null) this.#handed.keep(signing)
    for (const delivery of deliveries) this.#queue.add(delivery, now)
    if (this.#state().host !== host) this.#update({ host })
    await this.#schedule(now)
  }

  /** Looks a handle of the server up, and stores its account. Opens no tables. */
  async find(handle: { readonly username: string; readonly domain: string }): Promise<AccountId | null> {
    return this.begin().resolver.accountByHandle(handle)
  }

  /** Retries pending deliveries now, after contact from the server. */
  async wake(): Promise<void> {
    const now = this.begin().clock.now()
    const state = this.#state()
    if (state.host === '') return
    if (now.getTime() - state.wokenAt < wakeGapMilliseconds) return
    const reopened = this.#queue.reopenInboxes()
    if (reopened === 0 && !state.unreachable && this.#queue.nextAt() === null) return
    this.#update({
      failures: 0,
      failingSince: null,
      unreachable: false,
      pausedUntil: null,
      wokenAt: now.getTime(),
    })
    this.#queue.retryNow(now)
    await this.#schedule(now)
    await this.#report(this.begin())
  }

  /** State for operators; null where nothing is pending or failing. Opens no tables. */
  async state(): Promise<CourierState | null> {
    const { host, failures, failingSince, unreachable, lastSuccessAt, lastError } = this.#state()
    if (host === '') return null
    const { count, oldestAt } = this.#queue.pending()
    const at = (time: number | null) => (time === null ? null : new Date(time))
    return {
      pending: count,
      oldestAt,
      nextAt: this.#queue.nextAt(),
      failures,
      failingSince: at(failingSince),
      lastSuccessAt: at(lastSuccessAt),
      lastError,
      unreachable,
    }
  }

  /** Retries all pending deliveries now, for an operator: without the gap between wake-ups. */
  async retry(): Promise<number> {
    if (this.#state().host === '') return 0
    const now = this.begin().clock.now()
    this.#queue.reopenInboxes()
    this.#update({
      failures: 0,
      failingSince: null,
      unreachable: false,
      pausedUntil: null,
      heldUntil: null,
    })
    this.#queue.retryNow(now)
    await this.#schedule(now)
    await this.#report(this.begin())
    return this.#queue.pending().count
  }

  /** Gives up all pending deliveries, for an operator. */
  async drop(): Promise<number> {
    const { host } = this.#state()
    if (host === '') return 0
    const ctx = this.begin()
    const count = this.#queue.dropAll(ctx.clock.now())
    ctx.log.info('Deliveries were dropped by an operator', { host, count })
    await this.#schedule(ctx.clock.now())
    await this.#report(ctx)
    return count
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
    ctx.usage.add('objectCalls', 1)
    const now = ctx.clock.now()
    await this.ctx.storage.setAlarm(now.getTime() + safetyMilliseconds)
    this.#sweep(ctx, now)
    const { host } = this.#state()
    try {
      await this.#deliver(ctx)
    } catch (cause) {
      // The safety alarm stands: no delivery is lost while the database is unavailable.
      ctx.log.error('Failed to run deliveries', { host, cause })
      return
    }
    await this.#schedule(ctx.clock.now())
    await this.#report(ctx)
  }

  /**
   * Records in the database that the server fails, at each attempt, or that it no longer does. Couriers cannot be listed;
   * and a report that fails is made up for by the next.
   */
  async #report(ctx: Ctx): Promise<void> {
    const { host, failures, unreachable, isReported } = this.#state()
    const isFailing = unreachable || failures >= failuresUntilProbing
    if (!isFailing && !isReported) return
    const state = await this.state()
    try {
      if (isFailing && state !== null) await recordFailingHost(ctx, host, state)
      else await clearFailingHost(ctx, host)
      this.#update({ isReported: isFailing })
    } catch (cause) {
      ctx.log.error('The state of a server was not recorded', { host, cause })
    }
  }

  /** Forgets and expires old deliveries, once an hour: the search reads all of them. */
  #sweep(ctx: Ctx, now: Date): void {
    const { host, sweptAt } = this.#state()
    if (now.getTime() - sweptAt < sweepGapMilliseconds) return
    this.#update({ sweptAt: now.getTime() })
    this.#queue.forget(new Date(now.getTime() - rememberedMilliseconds))
    const old = this.#queue.expire(new Date(now.getTime() - maxAgeMilliseconds), now)
    if (old > 0) ctx.log.error('Deliveries expired', { host, count: old })
  }

  async #deliver(ctx: Ctx): Promise<void> {
    let opened: KeyRing | null = null
    // Each delivery may need a second signature variant, and another attempt with the previous key.
    for (let left = mostRequests; left >= 2; ) {
      const batch = this.#batch(ctx.clock.now(), Math.min(mostAtOnce, Math.floor(left / 2)))
      if (batch.length === 0) return
      const keys = await this.#keysFor(ctx, batch, opened)
      if (!keys.mayContact) return this.#dropAll(ctx)
      opened = keys
      const results = await Promise.all(batch.map((delivery) => this.#deliverOne(ctx, delivery, keys)))
      left -= results.reduce((sum, { requests }) => sum + requests, 0)
      this.#applyResults(ctx, batch, results)
      if (this.#isUnreachable(ctx.clock.now())) return this.#giveUp(ctx)
    }
  }

  /** Drops all deliveries: the server is suspended, or not on the allowlist of limited federation. */
  #dropAll(ctx: Ctx): void {
    const count = this.#queue.dropAll(ctx.clock.now())
    ctx.log.info('Deliveries to a suspended server were dropped', { host: this.#state().host, count })
  }

  /** Returns the opened keys, or reopens them when other senders were added meanwhile. */
  async #keysFor(ctx: Ctx, batch: readonly PendingDelivery[], opened: KeyRing | null): Promise<KeyRing> {
    const senders = batch.map(({ senderId }) => senderId)
    if (opened?.covers(senders) === true) return opened
    const all = [...new Set([...senders, ...this.#queue.senders(mostRequests)])]
    return (await this.#handed.open(ctx, all)) ?? openKeys(ctx, all, this.#state().host)
  }

  /** Selects the next deliveries: one probe for an unresponsive server, when it is due. */
  #batch(now: Date, most: number): readonly PendingDelivery[] {
    const { failures, pausedUntil, heldUntil } = this.#state()
    if ((heldUntil ?? 0) > now.getTime() || (pausedUntil ?? 0) > now.getTime()) return []
    if (failures < failuresUntilProbing) return this.#queue.due(now, most)
    const probe = this.#queue.probe()
    return probe === null ? [] : [probe]
  }

  async #deliverOne(ctx: Ctx, delivery: PendingDelivery, keys: KeyRing): Promise<DeliveryResult> {
    const result = await this.#send(ctx, delivery, keys)
    if (!keys.isHanded || !mayDoubtKey(result)) return result
    // Rejected perhaps because the key was replaced after the delivery was enqueued.
    this.#handed.forget()
    const fresh = await openKeys(ctx, [delivery.senderId], this.#state().host)
    if (fresh.of(delivery.senderId)?.sealed === keys.of(delivery.senderId)?.sealed) return result
    const second = await this.#send(ctx, delivery, fresh)
    return { ...second, requests: result.requests + second.requests }
  }

  async #send(ctx: Ctx, delivery: PendingDelivery, keys: KeyRing): Promise<DeliveryResult> {
    const held = keys.of(delivery.senderId)
    if (held === null) return { kind: 'refused', status: 0, requests: 0 }
    const scheme = await this.#schemeFor(ctx, keys)
    const signing = (key: CryptoKey) => ({
      keyId: delivery.keyId,
      sign: (bytes: Uint8Array) => sign(key, bytes),
    })
    const previous = held.previous === null ? null : signing(held.previous)
    return deliver(ctx, delivery, { key: signing(held.current), previous, scheme })
  }

  /** Scheme learnt from deliveries. Before the first that arrived, the one stored from fetches: one row. */
  async #schemeFor(ctx: Ctx, keys: KeyRing): Promise<SignatureScheme | null> {
    const { scheme, host } = this.#state()
    if (scheme !== null || !keys.isHanded) return scheme ?? keys.scheme
    return execute(ctx.db, signatureOf(ctx, host))
  }

  #applyResults(ctx: Ctx, batch: readonly PendingDelivery[], results: readonly DeliveryResult[]): void {
    const now = ctx.clock.now()
    const { failures } = this.#state()
    for (const [index, delivery] of batch.entries()) {
      const result = results[index]
      if (result !== undefined) this.#applyResult(ctx, delivery, result)
    }
    const failed = results.filter(({ kind }) => kind === 'failed').length
    if (failed < results.length) this.#recordSuccess(now, failures)
    else this.#recordFailures(now, failures + failed)
  }

  #applyResult(ctx: Ctx, delivery: PendingDelivery, result: DeliveryResult): void {
    const now = ctx.clock.now()
    const { host } = this.#state()
    const { id, inbox } = delivery
    const next = nextAttemptAt(now, delivery.attempts + 1)
    switch (result.kind) {
      case 'accepted':
        this.#queue.markDone(delivery, now)
        this.#queue.found(inbox)
        this.#update({ scheme: result.scheme, lastSuccessAt: now.getTime(), lastError: null })
        return
      case 'refused':
        this.#queue.markDone(delivery, now)
        this.#update({ lastError: `refused with ${result.status}` })
        ctx.log.info('A delivery was refused', { host, id, status: result.status })
        return
      case 'gone':
        this.#update({ lastError: 'inbox gone' })
        this.#closeInbox(ctx, inbox)
        return
      case 'missing':
        this.#queue.postpone(delivery, next)
        this.#update({ lastError: 'inbox not found' })
        if (this.#queue.countMissing(inbox) >= maxMissing) this.#closeInbox(ctx, inbox)
        else ctx.log.info('A delivery failed', { host, id, reason: 'its inbox was not found' })
        return
      case 'unauthorized':
        this.#queue.postponeUnauthorized(delivery, next)
        this.#update({ lastError: 'signature not accepted' })
        ctx.log.info('A delivery failed', { host, id, reason: 'its signature was not accepted' })
        return
      case 'failed':
        this.#queue.postpone(delivery, next)
        this.#update({
          lastError: result.error,
          ...(result.heldUntil === null ? {} : { heldUntil: result.heldUntil.getTime() }),
        })
        ctx.log.info('A delivery failed', { host, id, reason: result.reason })
    }
  }

  #closeInbox(ctx: Ctx, inbox: string): void {
    const dropped = this.#queue.closeInbox(inbox, ctx.clock.now())
    ctx.log.info('An inbox is gone', { host: this.#state().host, inbox, dropped })
  }

  /** Resets the failures after a success. After an outage all pending deliveries may go. */
  #recordSuccess(now: Date, failures: number): void {
    if (failures === 0) return
    this.#update({ failures: 0, failingSince: null, pausedUntil: null })
    if (failures >= failuresUntilProbing) this.#queue.retryNow(now)
  }

  #recordFailures(now: Date, failures: number): void {
    const beyond = failures - failuresUntilProbing + 1
    this.#update({
      failures,
      failingSince: this.#state().failingSince ?? now.getTime(),
      pausedUntil: beyond < 1 ? null : nextAttemptAt(now, beyond).getTime(),
    })
  }

  #isUnreachable(now: Date): boolean {
    const { failingSince } = this.#state()
    return failingSince !== null && now.getTime() - failingSince >= unreachableAfterMilliseconds
  }

  /** Drops all deliveries, and has later ones left out until the server makes contact. */
  async #giveUp(ctx: Ctx): Promise<void> {
    const now = ctx.clock.now()
    await markUnreachable(ctx, this.#queue.waitingInboxes())
    this.#update({ unreachable: true })
    const count = this.#queue.dropAll(now)
    ctx.log.info('A server counts as unreachable', { host: this.#state().host, dropped: count })
  }

  /** Sets the alarm for the next due delivery, now at the earliest. */
  async #schedule(now: Date): Promise<void> {
    const next = this.#queue.nextAt()
    if (next === null) return this.#idle(now)
    const { failures, pausedUntil, heldUntil } = this.#state()
    const wanted = failures >= failuresUntilProbing ? (pausedUntil ?? now.getTime()) : next.getTime()
    await this.ctx.storage.setAlarm(Math.max(wanted, heldUntil ?? 0, now.getTime()))
  }

  /** Deletes the storage where no state is left, else sets an alarm for when that may be so. */
  async #idle(now: Date): Promise<void> {
    if (!this.#queue.isEmpty(now)) return this.ctx.storage.setAlarm(now.getTime() + idleMilliseconds)
    if (this.#state().isReported) {
      this.#update({ failures: 0, unreachable: false })
      await this.#report(this.begin())
      if (this.#state().isReported) return this.ctx.storage.setAlarm(now.getTime() + sweepGapMilliseconds)
    }
    this.#opened = null
    await this.ctx.storage.deleteAll()
  }

  #state(): ServerState {
    return { ...unknownServer, ...this.ctx.storage.kv.get<Partial<ServerState>>('standing') }
  }

  #update(change: Partial<ServerState>): void {
    this.ctx.storage.kv.put('standing', { ...this.#state(), ...change })
  }
}

/** Whether the peer may have rejected the key of a delivery. */
function mayDoubtKey(result: DeliveryResult): boolean {
  if (result.kind === 'refused') return result.status === 400 || result.status === 403
  return result.kind === 'unauthorized'
}
